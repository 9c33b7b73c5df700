// SPDX-License-Identifier: Apache-2.0
#include "image_options/commands.h"

#include "image_options/image_module.h"
#include "image_options/library_versions.h"

namespace clconv {

ImageFiles with_image_files()
{
    return {library_versions(),
            {
                {"run", "convolve images with one or more PSFs", run_command},
                {"bloom", "make bright parts glow", bloom_command},
                {"deconvolve", "make images sharp that a known PSF has blurred", deconvolve_command},
                {"compare", "measure how much images differ, and whether within tolerances", compare_command},
                {"psf", "make a PSF from words such as gaussian:2.5, or from a measured one", psf_command},
                {"report", "show a report as a page for a browser", report_command},
                {"merge-reports", "merge the reports of a batch's shards", merge_reports_command},
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
