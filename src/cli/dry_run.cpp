#include "cli/dry_run.h"

#include "base/errors.h"
#include "cli/device_choice.h"
#include "cli/standard_output.h"
#include "conv/plan.h"
#include "image/image_file.h"

#include <fmt/format.h>

namespace clconv {

namespace {

void print_items(const std::vector<Item>& items)
{
    for (const Item& item : items)
        print(fmt::format("{} -> {}{}\n", item.info.input.string(), item.info.output.string(),
                          item.skip ? " (exists, would be skipped)" : ""));
}

void print_plan(const Image& image, const Item& item, const PreparedRun& run, const DeviceTraits& traits)
{
    const SampleType output = engine_output_type(image, item.info.output, run.files.depth);
    const Problem problem = problem_of(image.view(), image.alpha_channel, *run.psfs.at(item.psf), run.convolve, output);
    print(fmt::format("\nplan for {} with {}:\n{}", item.info.input.string(), item.info.psf,
                      describe(make_plan(problem, traits, run.convolve.decisions))));
}

}  // namespace

void print_dry_run(const PreparedRun& run, const RunOptions& options, Sink& sink)
{
    print_items(run.items);
    const DeviceTraits traits = traits_to_plan_for(options.problem.device, sink);
    // Images of one size have one plan; reading all of a large batch to print their plans would be no dry run.
    const std::filesystem::path* planned = nullptr;
    std::optional<Image> image;
    for (const Item& item : run.items) {
        if (item.skip || (planned && *planned != item.info.input)) continue;
        try {
            if (!planned) image = read_image(item.info.input);
            planned = &item.info.input;
            print_plan(*image, item, run, traits);
        } catch (const InternalError&) {
            throw;
        } catch (const Error& error) {
            sink.message(Level::warning, error.what());
        }
    }
}

}  // namespace clconv
