// The benchmark without the rest of clconv, for machines that have no image library: the same as `clconv bench`.

#include "base/errors.h"
#include "bench/command.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

int main(int argc, char** argv)
{
    CLI::App app("Times clconv's engine on data that stays on the device");
    clconv::BenchOptions options;
    clconv::add_bench_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        fmt::print("{}", clconv::bench(options));
        return 0;
    } catch (const clconv::InvalidProblem& error) {
        fmt::print(stderr, "bench_engine: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_engine: {}\n", error.what());
        return 5;
    }
}
