// SPDX-License-Identifier: Apache-2.0
// The options of `clconv plan`.
#pragma once

#include "settings/problem_options.h"

#include <CLI/App.hpp>

#include <string>

namespace clconv {

struct PlanOptions {
    std::string input;
    std::string psf;
    std::string size;
    std::string channels;  ///< for an image a list, as for run; for sizes a number
    std::string psf_size;
    std::string parts = "all";
    int psf_channels = 1;
    std::string type = "u8";
    std::string layout = "interleaved";
    std::string depth = "same";
    bool decisions = false;
    bool programs = false;
    bool menu = false;
    bool json = false;
    std::string kernels;
    bool overwrite = false;
    ProblemOptions problem;
};

void add_plan_options(CLI::App& app, PlanOptions& options);

}  // namespace clconv
