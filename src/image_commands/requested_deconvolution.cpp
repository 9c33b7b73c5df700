// SPDX-License-Identifier: Apache-2.0
#include "image_commands/requested_deconvolution.h"

#include "base/errors.h"
#include "batch/isolated_reading.h"
#include "settings/requested_deconvolution.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {
namespace {

Mask read_weights(const std::string& file)
{
    try {
        return isolated_mask(file);
    } catch (const InputError& error) {
        throw InvalidProblem(fmt::format("--weight {}", error.what()));
    }
}

}  // namespace

void apply(const DeconvolveOptions& options, RunOptions& run)
{
    RequestedDeconvolution requested = requested_deconvolution(options, std::move(run.problem), read_weights);
    run.work = std::move(requested.work);
    run.problem = std::move(requested.problem);
    run.note = std::move(requested.note);
    // Their weights say that they do not count.
    if (options.weight != "auto") run.weights = options.weight;
    if (!options.weight.empty()) run.nonfinite = NonFiniteRule::propagate;
}

}  // namespace clconv
