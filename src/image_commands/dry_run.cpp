// SPDX-License-Identifier: Apache-2.0
#include "image_commands/dry_run.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/standard_output.h"
#include "codecs/image_file.h"
#include "engine/image_problem.h"
#include "engine/planned_in_words.h"
#include "image_commands/part_plans.h"
#include "opencl/device_choice.h"
#include "settings/cache_option.h"

#include <fmt/format.h>

#include <set>

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

void print_plans(const std::vector<PartHeader>& parts, const Item& item, const PreparedRun& run,
                 const DeviceInfo& device, const ShownText& shown)
{
    const auto problem_of_part = [&](const Image& image) {
        const SampleType output = engine_output_type(image, item.info.output, run.work);
        return planned_problem(engine_view(image, item.info.output, run.work),
                               *run.work.psfs.for_image(item.psf, image), run.work.convolve, output, device.traits);
    };
    const std::vector<PartsProblem> problems = problems_of(item.info.input, parts, problem_of_part);
    for (const PartsProblem& entry : problems) {
        const std::string which = problems.size() > 1 ? ", " + parts_in_words(entry.parts) + "," : "";
        print(shown(fmt::format("\nplan for {}{} with {}:\n{}", item.info.input.string(), which, item.info.psf,
                                planned_in_words(entry.problem, device, run.work.convolve))));
    }
}

DeviceInfo device_to_plan_on(const RunOptions& options, Sink& sink)
{
    DeviceInfo device = device_to_plan_for(options.problem.device, cache_folder(options.problem.no_cache), sink);
    device.traits = with_memory(device.traits, device_memory(options.problem));
    return device;
}

}  // namespace

void print_dry_run(const PreparedRun& run, const RunOptions& options, const ShownText& shown, Sink& sink)
{
    print_items(run.items, shown);
    if (run.copies) return;
    std::optional<DeviceInfo> device;
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
            if (!device)
                device = device_to_plan_on(
                    options, sink);  // after the fork of the reading process, because drivers have threads
            print_plans(parts, item, run, *device, shown);
        } catch (const InternalError&) {
            throw;
        } catch (const Error& error) {
            sink.message(Level::warning, error.what());
        }
    }
}

}  // namespace clconv
