// SPDX-License-Identifier: Apache-2.0
// The work of `clconv tune`, and its options that need no image files, also for machines without an image library.
#pragma once

#include "cli/work_options.h"
#include "opencl/device.h"
#include "plan_records/tuned_plans.h"
#include "tune/report.h"

#include <CLI/App.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// As typed.
struct TuneOptions {
    WorkOptions work;  ///< border empty: clamp, and wrap for the radix sweep
    std::string residence;
    std::vector<std::string> decisions;
    std::string device;
    std::string kernel_dir;
    std::string budget;  ///< empty: a minute, ten for sweeps
    std::optional<std::size_t> candidates;
    std::vector<std::string> sweeps;
    bool json = false;
    bool csv = false;
    std::string html;
    bool explain = false;
    bool list = false;
    std::string export_file;
    std::string import_file;
    bool forget = false;
};

void add_tune_options(CLI::App& app, TuneOptions& options);

/// Called with progress messages, one line at a time.
using Progress = std::function<void(const std::string&)>;

/// Runs the command. `problems`, if not empty, replace those of the size options. Returns the text for standard output.
/// Throws InvalidProblem, InputError, DeviceError.
[[nodiscard]] std::string tune(const TuneOptions& options, std::vector<Problem> problems, const Progress& progress);

/// The work of --tuning measure for a problem without a record: a short search, whose record is kept.
[[nodiscard]] TunedPlans::Measure short_search(const KernelSource& kernels, const CacheFolder& caches,
                                               Progress progress);

/// Seconds of "30s", "2m", "1.5" or "500ms". Throws InvalidProblem naming the option.
[[nodiscard]] double parse_seconds(const std::string& option, const std::string& text);

}  // namespace clconv
