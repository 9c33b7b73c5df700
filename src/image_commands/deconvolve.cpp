// SPDX-License-Identifier: Apache-2.0
// Deconvolutions: runs whose work is another one.
#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "image_commands/commands.h"
#include "image_commands/requested_deconvolution.h"
#include "image_options/psf_words.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// Throws InvalidProblem for a PSF of several planes of which none is chosen. One that cannot be read is reported
/// later.
void check_planes(const RunOptions& run)
{
    if (!run.problem.psf_part.empty()) return;
    for (const std::string& file : psf_files(run.psfs)) {
        int planes = 1;
        try {
            planes = isolated_count_of_parts(file);
        } catch (const InputError&) {
            continue;
        }
        if (planes > 1)
            throw InvalidProblem(
                fmt::format("--psf {}: holds {} planes, and images are worked on one by one: choose a plane by "
                            "--psf-part, and use a "
                            "3-D tool for stacks",
                            file, planes));
    }
}

}  // namespace

int deconvolve(const DeconvolveOptions& options, RunOptions run)
{
    apply(options, run);
    check_planes(run);
    return execute(run);
}

}  // namespace clconv
