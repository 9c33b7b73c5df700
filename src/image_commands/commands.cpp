// SPDX-License-Identifier: Apache-2.0
#include "image_commands/commands.h"

#include "codecs/image_file.h"
#include "fits/fits_library.h"
#include "formats/icc_curve.h"

namespace clconv {

ImageFiles with_image_files()
{
    return {image_library() + ", " + fits::library() + ", " + oiio::icc_library(),
            {
                {"run", "convolve images with one or more PSFs", run_command},
                {"bloom", "make bright parts glow", bloom_command},
                {"deconvolve", "make images sharp that a known PSF has blurred", deconvolve_command},
                {"compare", "tell how much images differ, and whether within tolerances", compare_command},
                {"psf", "make a PSF from words such as gaussian:2.5, or from a measured one", psf_command},
                {"merge-reports", "merge the reports of a batch's shards", merge_reports_command},
            },
            "run photos --psf disc.png --output blurred",
            planned_files,
            tuned_files};
}

}  // namespace clconv
