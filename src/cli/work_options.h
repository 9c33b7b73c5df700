// SPDX-License-Identifier: Apache-2.0
// Options for the work of the benchmark and the tuner: sizes, types, border, device.
#pragma once

#include "base/errors.h"
#include "conv/problem.h"

#include <fmt/format.h>
#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// The side of the PSF where a command for sizes is given none.
inline constexpr int kDefaultPsfSide = 63;

/// As typed.
struct WorkOptions {
    std::vector<std::string> sizes;  ///< empty: default_sizes
    std::string suite;
    int channels = 3;
    std::vector<std::string> psf_sizes;  ///< empty: kDefaultPsfSide
    std::string type;
    std::string layout;
    std::string border;
    std::string mode = "same";
    std::string precision = "float";

    std::vector<std::string> default_sizes;
    std::string default_when;  ///< on what the default depends, for --help: " with --sweep"
};

/// Adds the options, with the values in `options` as defaults. `border`: the help of --border, with its default.
void add_work_options(CLI::App& app, WorkOptions& options, const std::string& group, const std::string& border);

/// --device and --kernel-dir.
void add_device_options(CLI::App& app, std::string& device, std::string& kernel_dir, const std::string& group);

/// Every size with every PSF size, or the suite. Throws InvalidProblem naming the option.
[[nodiscard]] std::vector<Problem> problems_of(const WorkOptions& options);

}  // namespace clconv
