// SPDX-License-Identifier: Apache-2.0
// The work that options of `deconvolve` request.
#pragma once

#include "engine/work.h"
#include "passes/blending.h"
#include "settings/deconvolve_options.h"
#include "settings/problem_options.h"

#include <functional>
#include <memory>
#include <string>

namespace clconv {

/// Reads the mask of `--weight FILE`. Throws InvalidProblem.
using ReadWeights = std::function<Mask(const std::string& file)>;

struct RequestedDeconvolution {
    std::shared_ptr<const Work> work;
    ProblemOptions problem;  ///< as given, with the border, and what the conventions of a peer change
    std::string note;        ///< which method was chosen; empty if the user did
};

/// Throws InvalidProblem for options of another method, and for what no deconvolution can do.
[[nodiscard]] RequestedDeconvolution requested_deconvolution(const DeconvolveOptions& options, ProblemOptions problem,
                                                             const ReadWeights& read);

}  // namespace clconv
