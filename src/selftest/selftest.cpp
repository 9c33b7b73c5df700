// SPDX-License-Identifier: Apache-2.0
#include "selftest/selftest.h"

#include "bench/statistics.h"
#include "bench/trial.h"
#include "fft/radix.h"
#include "fft/reference_dft.h"
#include "passes/line_transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace clconv {
namespace {

/// A convolution to check.
struct ConvolutionCase {
    std::string group;
    std::string name;
    Problem problem;
    Decisions decisions;
};

Problem small_problem(Thoroughness thoroughness)
{
    Problem problem;
    problem.image = thoroughness == Thoroughness::full ? Extent{61, 47} : Extent{21, 13};
    problem.channels = 3;
    problem.psf = {9, 7};
    problem.origin = {3, 2};
    return problem;
}

Decisions by_method(Method method)
{
    Decisions decisions;
    decisions.method = method;
    return decisions;
}

void add_method_cases(std::vector<ConvolutionCase>& cases, const Problem& problem)
{
    for (const Method method : all_values<Method>())
        cases.push_back({"method", std::string(name_of(method)), problem, by_method(method)});
    for (const Residence residence : all_values<Residence>()) {
        Decisions decisions = by_method(Method::fft);
        decisions.residence = residence;
        cases.push_back({"method", fmt::format("fft, {}", name_of(residence)), problem, decisions});
    }
}

void add_full_cases(std::vector<ConvolutionCase>& cases, const Problem& problem)
{
    for (const Border border : all_values<Border>()) {
        Problem bordered = problem;
        bordered.border = border;
        cases.push_back({"border", std::string(name_of(border)), bordered, by_method(Method::fft)});
    }
    for (const Mode mode : all_values<Mode>()) {
        if (mode == problem.mode) continue;
        Problem extended = problem;
        extended.mode = mode;
        cases.push_back({"extent", std::string(name_of(mode)), extended, by_method(Method::fft)});
    }
    for (const Method method : all_values<Method>())
        for (const SampleType type : kSampleTypes) {
            Problem typed = problem;
            typed.input = typed.output = type;
            cases.push_back(
                {"samples", fmt::format("{}, {}", name_of(type), name_of(method)), typed, by_method(method)});
        }
}

/// Every method and residence in half, and in double if the device has it. Radices are small, because the others have
/// their own cases, and PoCL takes a quarter of a minute to build a large one in half.
void add_precision_cases(std::vector<ConvolutionCase>& cases, const Problem& problem, const DeviceTraits& traits)
{
    std::vector<ConvolutionCase> methods;
    add_method_cases(methods, problem);
    for (const Precision precision : {Precision::half, Precision::float64}) {
        if (precision == Precision::float64 && !traits.has_double) continue;
        for (ConvolutionCase test : methods) {
            if (precision == Precision::float64 && test.decisions.method == Method::tiled)
                continue;  // there are no tiles in double
            test.problem.precision = precision;
            if (test.decisions.method == Method::fft)
                test.decisions.radix_x.largest = test.decisions.radix_y.largest = 4;
            cases.push_back({"precision", fmt::format("{}, {}", name_of(precision), test.name), test.problem,
                             std::move(test.decisions)});
        }
    }
}

std::vector<ConvolutionCase> convolution_cases(Thoroughness thoroughness, const DeviceTraits& traits)
{
    const Problem problem = small_problem(thoroughness);
    std::vector<ConvolutionCase> cases;
    add_method_cases(cases, problem);
    add_precision_cases(cases, problem, traits);
    if (thoroughness == Thoroughness::full) add_full_cases(cases, problem);
    return cases;
}

SelftestResult proved(const ConvolutionCase& test, Device& device, const KernelSource& kernels)
{
    SelftestResult result{test.group, test.name, false, 0, 0, ""};
    WorkOnDevice work(device, test.problem);
    Trial trial(work, kernels, make_plan(test.problem, device.info().traits, test.decisions));
    result.error = trial.relative_error();
    result.allowed = trial.allowed_error();
    const bool inside = trial.stayed_inside();
    result.right = result.error <= result.allowed && inside;
    if (!inside) result.remark = "wrote beyond the end of a buffer";
    return result;
}

/// Rounding of a transform: each of log2 N levels adds half a spacing of random sign. Twiddles add as much again, and
/// so do the sums of an odd radix. A wrong twiddle or index costs 1e-2 and more.
double allowed_transform_error(int length) { return 2.4e-7 * std::sqrt(std::max(1.0, std::log2(length))); }

std::optional<LinePlan> line_plan(int radix, Residence residence, const DeviceTraits& traits)
{
    LinePlan plan;
    plan.residence = residence;
    plan.radices = residence == Residence::local ? std::vector{radix, 2} : std::vector{radix};
    if (residence == Residence::global) return plan;
    LocalLineRequest request;
    request.radices = plan.radices;
    request.local_memory = traits.local_memory;
    request.max_group = static_cast<int>(std::min<std::uint64_t>(traits.max_work_group, 256));
    request.max_values = std::max(64, 2 * radix);
    const auto shape = local_line(request);
    if (!shape) return std::nullopt;
    plan.local = *shape;
    return plan;
}

SelftestResult proved(int radix, Residence residence, Device& device, const KernelSource& kernels)
{
    SelftestResult result{"radix", fmt::format("{}, {}", radix, name_of(residence)), false, 0, 0, ""};
    const auto plan = line_plan(radix, residence, device.info().traits);
    if (!plan) {
        result.remark = "such a line does not fit a work-group of this device";
        return result;
    }
    const int length = residence == Residence::local ? 2 * radix : radix;
    std::mt19937 engine(static_cast<unsigned>(radix));
    std::uniform_real_distribution<float> uniform(-1, 1);
    LineTransform::Lines line(static_cast<std::size_t>(length));
    for (auto& value : line) value = {uniform(engine), uniform(engine)};
    std::vector<std::complex<double>> wanted(line.begin(), line.end());
    const std::vector<std::complex<double>> original = wanted;
    wanted = reference_dft(wanted, Direction::forward);

    LineTransform transform(device, kernels, *plan);
    const LineTransform::Lines forward = transform.forward(line);
    const LineTransform::Lines back = transform.back(forward);
    double error = 0, norm = 0, back_error = 0, back_norm = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
        error += std::norm(std::complex<double>(forward[k]) - wanted[k]);
        norm += std::norm(wanted[k]);
        back_error += std::norm(std::complex<double>(back[k]) / static_cast<double>(length) - original[k]);
        back_norm += std::norm(original[k]);
    }
    // Forward and inverse together may be off by twice as much.
    result.error = larger_error(std::sqrt(error / norm), std::sqrt(back_error / back_norm) / 2);
    result.allowed = allowed_transform_error(length);
    result.right = result.error <= result.allowed;
    return result;
}

template <class Prove>
SelftestResult guarded(const std::string& group, const std::string& name, const Prove& prove)
{
    try {
        return prove();
    } catch (const std::exception& error) {
        return {group, name, false, 0, 0, error.what()};
    }
}

}  // namespace

std::vector<SelftestResult> selftest(Device& device, const KernelSource& kernels, Thoroughness thoroughness,
                                     const std::function<void(const SelftestResult&)>& on_result, std::string_view only)
{
    const auto is_wanted = [&](const std::string& group, const std::string& name) {
        return fmt::format("{} {}", group, name).find(only) != std::string::npos;
    };
    std::vector<SelftestResult> results;
    const auto keep = [&](SelftestResult result) {
        on_result(result);
        results.push_back(std::move(result));
    };
    for (const Radix& radix : supported_radices()) {
        if (thoroughness == Thoroughness::quick && radix.size > 8) break;
        for (const Residence residence : {Residence::local, Residence::global}) {
            // A generic butterfly is used through global memory only, because a work-group's kernel with it takes
            // minutes to build.
            if (residence == Residence::local && radix.butterfly == Butterfly::generic) continue;
            const std::string name = fmt::format("{}, {}", radix.size, name_of(residence));
            if (is_wanted("radix", name))
                keep(guarded("radix", name, [&] { return proved(radix.size, residence, device, kernels); }));
        }
    }
    for (const ConvolutionCase& test : convolution_cases(thoroughness, device.info().traits))
        if (is_wanted(test.group, test.name))
            keep(guarded(test.group, test.name, [&] { return proved(test, device, kernels); }));
    return results;
}

bool all_right(const std::vector<SelftestResult>& results)
{
    return !results.empty() &&
           std::all_of(results.begin(), results.end(), [](const SelftestResult& result) { return result.right; });
}

}  // namespace clconv
