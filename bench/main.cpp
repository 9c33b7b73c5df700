// Benchmark and tuner without the rest of clconv, for machines that have no image library: `bench_engine [bench] ...`
// is `clconv bench`, `bench_engine tune ...` is `clconv tune`, `bench_engine selftest` is `clconv selftest`.

#include "base/errors.h"
#include "cli/bench_command.h"
#include "cli/tune_command.h"
#include "selftest/selftest.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace {

int prove(const std::string& selector)
{
    clconv::Device device(clconv::select_devices(selector).front());
    const auto results = clconv::selftest(device, clconv::KernelSource::embedded(), clconv::Thoroughness::full,
                                          [](const clconv::SelftestResult& /*result*/) {});
    fmt::print("{}", clconv::selftest_table(device.info(), results));
    return clconv::all_right(results) ? 0 : 5;
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Times clconv's engine on data that stays on the device, and tunes it");
    clconv::BenchOptions bench;
    clconv::TuneOptions tune;
    CLI::App* const tuning = app.add_subcommand("tune", "measure plans and remember the best");
    CLI::App* const proving = app.add_subcommand("selftest", "check that a device computes correctly");
    std::string selector;
    proving->add_option("--device", selector, "Index P:D, gpu, cpu, or a part of the name")->envname("CLCONV_DEVICE");
    clconv::add_bench_options(app, bench);
    clconv::add_tune_options(*tuning, tune);
    CLI11_PARSE(app, argc, argv);
    try {
        if (proving->parsed()) return prove(selector);
        const auto progress = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
        fmt::print("{}", tuning->parsed() ? clconv::tune(tune, {}, progress) : clconv::bench(bench));
        return 0;
    } catch (const clconv::InvalidProblem& error) {
        fmt::print(stderr, "bench_engine: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_engine: {}\n", error.what());
        return 5;
    }
}
