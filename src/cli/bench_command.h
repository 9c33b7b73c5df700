// SPDX-License-Identifier: Apache-2.0
// The benchmark's options and their work.
#pragma once

#include "bench/render.h"
#include "cli/work_options.h"

#include <CLI/App.hpp>

#include <functional>
#include <string>
#include <vector>

namespace clconv {

/// As typed.
struct BenchOptions {
    WorkOptions work;
    std::string method = "auto";
    std::string radix = "auto";
    std::string radix_x;
    std::string radix_y;
    std::vector<std::string> decisions;
    std::string tuning = "auto";
    std::string device;
    std::string kernel_dir;
    int repeat = 9;
    int images = 1;
    int queues = 1;
    bool json = false;
    bool no_cache = false;
};

void add_bench_options(CLI::App& app, BenchOptions& options);

/// Measures. `warn` is called with reasons why programs build slowly. Throws InvalidProblem, DeviceError, BuildError.
[[nodiscard]] BenchReport bench(const BenchOptions& options, const std::function<void(const std::string&)>& warn);

}  // namespace clconv
