// SPDX-License-Identifier: Apache-2.0
#include "image_options/image_files.h"

#include "image_options/image_module.h"
#include "image_options/library_versions.h"

namespace clconv {
namespace {

Command command(std::string_view name, std::string_view purpose)
{
    return {name, purpose, [name](const auto& words) { return image_module().run(name, words); }};
}

}  // namespace

ImageFiles with_image_files()
{
    return {library_versions(),
            {
                command("run", "convolve images with one or more PSFs"),
                command("bloom", "make bright parts glow"),
                command("deconvolve", "make images sharp that a known PSF has blurred"),
                command("compare", "tell how much images differ, and whether within tolerances"),
                command("psf", "make a PSF from words such as gaussian:2.5, or from a measured one"),
                command("merge-reports", "merge the reports of a batch's shards"),
            },
            "run photos --psf disc.png --output blurred",
            [](const PlanOptions& options, const ConvolveSettings& settings, Sink& sink) {
                return image_module().planned(options, settings, sink);
            },
            [](const TunedFiles& files, const TuneOptions& options, Sink& sink) {
                return image_module().tuned(files, options, sink);
            }};
}

}  // namespace clconv
