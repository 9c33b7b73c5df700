// The benchmark's options and what they do: `clconv bench`, and clconv_bench where there is no image library.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace clconv {

/// As typed.
struct BenchOptions {
    std::vector<std::string> sizes;
    std::string suite;
    int channels = 3;
    std::vector<std::string> psf_sizes;
    std::string border = "zero";
    std::string mode = "same";
    std::string method = "auto";
    std::string type = "float";
    std::string precision = "float";
    std::string layout = "planar";
    std::string radix = "auto";
    std::string radix_x;
    std::string radix_y;
    std::vector<std::string> decisions;
    std::string tuning = "auto";
    std::string device;
    std::string kernel_dir;
    int repeat = 9;
    bool json = false;
    bool no_cache = false;
};

void add_bench_options(CLI::App& app, BenchOptions& options);

/// Measures and returns the table, or the JSON text. Throws InvalidProblem, DeviceError, BuildError.
[[nodiscard]] std::string bench(const BenchOptions& options);

}  // namespace clconv
