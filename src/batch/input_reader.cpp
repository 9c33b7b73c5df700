// SPDX-License-Identifier: Apache-2.0
#include "batch/input_reader.h"

#include "base/clock.h"
#include "base/errors.h"
#include "encoders/kept_notes.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace clconv {
namespace {

/// Thrown if the run ends while a reader waits for memory.
struct NoMoreReading {};

/// The items of each input, or of one part of it.
std::vector<std::span<const Item>> groups_by_input(const std::vector<Item>& items)
{
    std::vector<std::span<const Item>> groups;
    const Item* const end = items.data() + items.size();
    for (const Item* first = items.data(); first != end;) {
        const Item* last = first;
        while (last != end && last->info.input == first->info.input && last->info.part == first->info.part) ++last;
        groups.emplace_back(first, last);
        first = last;
    }
    return groups;
}

}  // namespace

InputReader::InputReader(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                         MemoryBudget& budget)
    : groups_(groups_by_input(items)), steps_(steps), options_(options), budget_(budget)
{
}

ItemWork InputReader::work_of(std::size_t number, const std::string& track) const
{
    const Group& group = groups_[number];
    ItemWork work;
    work.memory = std::make_shared<ImageMemory>();
    MemoryBudget::Share& share = work.memory->share;
    Seconds waited{0};
    std::optional<CodecMark> mark(std::in_place, options_.board, group.front().info.index, CodecKind::decoder);
    const auto allocate = [&](const Image& image) {
        const Clock::time_point start = Clock::now();
        std::uint64_t result = 0;
        for (const Item& item : group) {
            try {
                result = std::max(result, steps_.output_memory(image, item));
            } catch (const InvalidProblem&) {
                if (group.size() == 1) throw;  // else it is reported where this item starts, alone
            }
        }
        const auto results = std::min<std::uint64_t>(group.size(), ImageMemory::kResults);
        const std::uint64_t wanted = steps_.input_memory(image) + results * result;
        mark->pause();
        share = budget_.take(number, wanted);
        if (!share) throw NoMoreReading();
        mark->resume();
        // Allow twice the size for an image that is made alone, because codecs may hold a second copy.
        if (options_.board && wanted > options_.memory) options_.board->allow(2 * wanted);
        waited = Clock::now() - start;
        return steps_.memory(image.view().bytes());
    };

    const Clock::time_point start = Clock::now();
    try {
        work.image = std::make_shared<const Image>(steps_.read(group.front(), allocate));
        if (!share) {  // no samples were read
            const bool has_parts = work.image->parts.size() > 1;
            share = budget_.take(number, has_parts ? steps_.parts_memory(*work.image) : steps_.streamed_memory);
            if (!share) throw NoMoreReading();
        }
        work.result.image = ImageFacts{work.image->extent, work.image->file_channels(), work.image->stored_type,
                                       work.image->says_linear};
        work.result.parts = work.image->parts.size();
        work.result.copied_channels = copied_channels(*work.image);
        if (work.image->transfer) work.result.transfer = work.image->transfer->name;
        work.result.warnings = work.image->warnings;
    } catch (const NoMoreReading&) {
        throw;
    } catch (...) {
        work.error = std::current_exception();
    }
    mark.reset();
    if (!share) budget_.pass(number);
    if (work.error) share = nullptr;
    const Clock::time_point end = Clock::now();
    add_time(work.result.times, stage::kRead, end - start - waited);
    work.result.spans.push_back({track, std::string(stage::kRead), start, end});
    return work;
}

std::optional<std::deque<ItemWork>> InputReader::read(std::size_t number, const std::string& track) const
{
    std::deque<ItemWork> works;
    try {
        ItemWork work = work_of(number, track);
        for (const Item& item : groups_[number]) {
            works.push_back(work);
            works.back().item = &item;
            work.result.times.clear();  // counted only once, with the first item
            work.result.spans.clear();
        }
    } catch (const NoMoreReading&) {
        return std::nullopt;
    }
    return works;
}

}  // namespace clconv
