// SPDX-License-Identifier: Apache-2.0
#include "image_commands/dry_run.h"

#include "base/errors.h"
#include "batch/convolve_parts.h"
#include "batch/image_steps.h"
#include "batch/isolated_reading.h"
#include "batch/run_memory.h"
#include "batch/stream_image.h"
#include "cli/standard_output.h"
#include "codecs/image_file.h"
#include "engine/image_problem.h"
#include "engine/planned_in_words.h"
#include "image_commands/part_plans.h"
#include "opencl/device_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

namespace {

const char* fate(const Item& item)
{
    if (item.skip) return " (exists, would be skipped)";
    return can_be_written(item.info.output) ? "" : " (no format that can be written, would fail)";
}

std::string part_in_words(const Item& item) { return item.info.part ? fmt::format(" part {}", *item.info.part) : ""; }

void print_items(const std::vector<Item>& items, const ShownText& shown)
{
    for (const Item& item : items)
        print(shown(fmt::format("{}{} -> {}{}\n", item.info.input.string(), part_in_words(item),
                                item.info.output.string(), fate(item))));
}

/// A run as it is planned: on one device, with what images and devices may hold.
struct PlannedRun {
    const PreparedRun& run;
    DeviceInfo device;
    std::uint64_t image_memory;
};

/// Whether the run convolves the part band by band. `alone`: no other part goes into the same output.
bool is_banded(const PartHeader& part, bool alone, const Item& item, std::uint64_t image_memory)
{
    const Image& image = part.image;
    if (!alone) return goes_by_bands(image, part.is_read_by_rows, item.info.output, image_memory);
    return part.is_read_by_rows && is_left_to_rows(image, max_decoded_bytes(item.info.output, image_memory));
}

/// The plans of parts that all go by bands, or are all held whole, as "parts" and "plan".
std::vector<std::pair<std::string, std::string>> plans_of(std::span<const PartHeader> parts, bool by_bands,
                                                          const Item& item, const PlannedRun& planned)
{
    const ImageWork& work = planned.run.work;
    const auto problem_of_part = [&](const Image& image) {
        return problem_of(engine_view(image, item.info.output, work), *work.psfs.for_image(item.psf, image),
                          work.convolve, engine_output_type(image, item.info.output, work));
    };
    const auto plan_of = [&](const PartsProblem& entry) {
        const Image& image = std::find_if(parts.begin(), parts.end(), [&](const PartHeader& part) {
                                 return part.part == entry.parts.front();
                             })->image;
        if (by_bands)
            return bands_in_words(entry.problem, planned.device, work.convolve,
                                  band_memory(image, planned.image_memory));
        return planned_in_words(entry.problem, *work.psfs.for_image(item.psf, image),
                                channels_of(engine_view(image, item.info.output, work)), planned.device, work.convolve);
    };
    std::vector<std::pair<std::string, std::string>> plans;
    for (const PartsProblem& entry : problems_of(item.info.input, parts, problem_of_part))
        plans.emplace_back(parts_in_words(entry.parts), plan_of(entry));
    return plans;
}

/// Sorts `parts`: first those that are held whole.
void print_plans(std::vector<PartHeader>& parts, const Item& item, const PlannedRun& planned, const ShownText& shown)
{
    const bool alone = parts.size() == 1 || item.info.part;
    const auto is_held = [&](const PartHeader& part) { return !is_banded(part, alone, item, planned.image_memory); };
    const auto first_banded = std::stable_partition(parts.begin(), parts.end(), is_held);
    const std::span<const PartHeader> all(parts);
    const auto held = all.first(static_cast<std::size_t>(first_banded - parts.begin()));
    const auto by_bands = all.subspan(held.size());
    std::vector<std::pair<std::string, std::string>> plans;
    const bool some_are_held =
        std::any_of(held.begin(), held.end(), [](const PartHeader& part) { return part.image.channels > 0; });
    if (some_are_held || by_bands.empty()) plans = plans_of(held, false, item, planned);
    if (!by_bands.empty()) std::ranges::move(plans_of(by_bands, true, item, planned), std::back_inserter(plans));
    for (const auto& [numbers, plan] : plans)
        print(shown(fmt::format("\nplan for {}{} with {}:\n{}", item.info.input.string(),
                                plans.size() > 1 ? ", " + numbers + "," : "", item.info.psf, plan)));
}

/// The first of the run's devices, with the memory that the run gives it.
DeviceInfo device_to_plan_on(const PreparedRun& run, Sink& sink)
{
    std::vector<DeviceInfo> devices = devices_to_plan_for(run.devices, run.caches, sink);
    limit_memory(devices, run);
    return devices.front();
}

}  // namespace

void print_dry_run(const PreparedRun& run, const ShownText& shown, Sink& sink)
{
    print_items(run.items, shown);
    if (run.copies) return;
    std::optional<PlannedRun> planned_run;
    // Images of the same size have the same plan, and a dry run must not read a whole batch.
    const std::filesystem::path* planned = nullptr;
    std::vector<PartHeader> parts;
    std::set<std::size_t> psfs;  // with {part}, an input has several items for each
    for (const Item& item : run.items) {
        if (item.skip || !can_be_written(item.info.output) || (planned && *planned != item.info.input)) continue;
        try {
            if (!planned) parts = isolated_headers(item.info.input, run.work.light, run.work.decode, run.work.parts);
            planned = &item.info.input;
            if (!psfs.insert(item.psf).second) continue;
            if (!planned_run)  // after the fork of the reading process, because drivers have threads
                planned_run.emplace(PlannedRun{run, device_to_plan_on(run, sink), image_memory(run)});
            print_plans(parts, item, *planned_run, shown);
        } catch (const InternalError&) {
            throw;
        } catch (const Error& error) {
            sink.message(Level::warning, error.what());
        }
    }
}

}  // namespace clconv
