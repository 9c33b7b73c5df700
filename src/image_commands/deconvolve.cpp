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

/// Throws InvalidProblem for a PSF of several planes. One that cannot be read is reported later.
void check_planes(const std::vector<std::string>& psfs)
{
    for (const std::string& file : psf_files(psfs)) {
        int planes = 1;
        try {
            planes = isolated_count_of_parts(file);
        } catch (const InputError&) {
            continue;
        }
        if (planes > 1)
            throw InvalidProblem(fmt::format(
                "--psf {}: holds {} planes, and images are worked on one by one: give one plane as a file of its own, "
                "and use a 3-D tool for stacks",
                file, planes));
    }
}

}  // namespace

int deconvolve(const DeconvolveOptions& options, RunOptions run)
{
    apply(options, run);
    check_planes(run.psfs);
    return execute(run);
}

}  // namespace clconv
