#include "cli/dry_run.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "cli/device_choice.h"
#include "cli/planned_in_words.h"
#include "cli/standard_output.h"
#include "engine/coarse.h"
#include "image/image_file.h"

#include <fmt/format.h>

namespace clconv {

namespace {

const char* fate(const Item& item)
{
    if (item.skip) return " (exists, would be skipped)";
    return can_be_written(item.info.output) ? "" : " (no format that can be written, would fail)";
}

std::string part_in_words(const Item& item) { return item.info.part ? fmt::format(" part {}", *item.info.part) : ""; }

/// The rules to read the first part of an item.
DecodeRules rules_of(const Item& item, const ImageWork& work)
{
    DecodeRules rules = work.decode;
    rules.part = item.info.part.value_or(work.parts.of(1).front());
    return rules;
}

void print_items(const std::vector<Item>& items, const ShownText& shown)
{
    for (const Item& item : items)
        print(shown(fmt::format("{}{} -> {}{}\n", item.info.input.string(), part_in_words(item),
                                item.info.output.string(), fate(item))));
}

void print_plan(const Image& image, const Item& item, const PreparedRun& run, const DeviceInfo& device,
                const ShownText& shown)
{
    check_has_channels(item.info.input, image);
    const SampleType output = engine_output_type(image, item.info.output, run.work);
    const Problem problem = planned_problem(engine_view(image, item.info.output, run.work),
                                            *run.work.psfs.for_image(item.psf, image), run.work.convolve, output);
    print(shown(fmt::format("\nplan for {} with {}:\n{}", item.info.input.string(), item.info.psf,
                            planned_in_words(problem, device, run.work.convolve))));
}

DeviceInfo device_to_plan_on(const RunOptions& options, Sink& sink)
{
    DeviceInfo device = device_to_plan_for(options.problem.device, sink);
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
    std::optional<Image> image;
    for (const Item& item : run.items) {
        if (item.skip || !can_be_written(item.info.output) || (planned && *planned != item.info.input)) continue;
        try {
            if (!planned) image = isolated_header(item.info.input, run.work.light, rules_of(item, run.work));
            planned = &item.info.input;
            if (!device)
                device = device_to_plan_on(
                    options, sink);  // after the fork of the reading process, because drivers have threads
            print_plan(*image, item, run, *device, shown);
        } catch (const InternalError&) {
            throw;
        } catch (const Error& error) {
            sink.message(Level::warning, error.what());
        }
    }
}

}  // namespace clconv
