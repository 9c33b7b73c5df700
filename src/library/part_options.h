// SPDX-License-Identifier: Apache-2.0
// The options of each part of the library. They are those of the commands: the same names, parsers, limits and help.
#pragma once

#include "clconv/clconv.hpp"
#include "settings/blend_options.h"
#include "settings/deconvolve_options.h"
#include "settings/problem_options.h"

#include <CLI/App.hpp>

#include <vector>

namespace clconv {

class PartOptions {
public:
    explicit PartOptions(v0::Part part);
    PartOptions(const PartOptions&) = delete;
    PartOptions& operator=(const PartOptions&) = delete;

    /// Reads values. Throws InvalidProblem: no such option, or not such a value.
    void read(const v0::Options& options);

    [[nodiscard]] std::vector<v0::OptionInfo> list() const;

    /// As read. What the part has no options for has its default value.
    [[nodiscard]] const ProblemOptions& problem() const { return problem_; }
    [[nodiscard]] NonFiniteRule nonfinite() const { return nonfinite_; }
    [[nodiscard]] const BlendOptions& blend() const { return blend_; }
    [[nodiscard]] const BloomOptions& bloom() const { return bloom_; }
    [[nodiscard]] const DeconvolveOptions& deconvolution() const { return deconvolution_; }

private:
    void add_operation();
    void add_deconvolution();
    void add_bloom();
    void add_mix();
    /// Of commands that make light of codes unless an option says otherwise.
    void add_linear_or_stored();

    CLI::App app_;
    OptionList list_{app_};
    ProblemOptions problem_;
    NonFiniteRule nonfinite_ = NonFiniteRule::error;
    BlendOptions blend_;
    BloomOptions bloom_;
    DeconvolveOptions deconvolution_;
};

}  // namespace clconv
