// SPDX-License-Identifier: Apache-2.0
#include "plan/method_choice.h"

#include "base/errors.h"

#include "plan/cost.h"
#include "plan/padded_line.h"
#include "plan/plan_direct.h"
#include "plan/plan_tiled.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

constexpr double kNoTiles = 1e300;
/// Operations a channel: 1 ms on two cores of a CPU, 10 us on an H200.
constexpr double kLittle = 6e7;

/// The cost of each method, in operations a channel.
struct Costs {
    double direct = 0;
    double tiled = kNoTiles;
    double fft = 0;

    [[nodiscard]] Method cheapest() const
    {
        return direct < std::min(tiled, fft) ? Method::direct : tiled < fft ? Method::tiled : Method::fft;
    }
    [[nodiscard]] double of(Method method) const
    {
        return method == Method::direct ? direct : method == Method::tiled ? tiled : fft;
    }
};

/// Whether lines in local memory take the steps of a problem that alternates into their rows, so that nothing is loaded
/// and stored between them: passes/convolution_chain.h. What that saves was measured on CPUs only.
bool rows_take_steps(const Problem& problem, const DeviceTraits& traits)
{
    const BorderMode& border = mode_of(problem.border);
    return traits.is_cpu && problem.alternates && border.is_empty && !border.divides_by_coverage;
}

double fft_cost(const Problem& problem, const DeviceTraits& traits)
{
    const PaddedLine x = padded_line(along_x(problem), {}, {}, "x", Residence::local);
    const PaddedLine y = padded_line(along_y(problem), {}, {}, "y", Residence::local);
    const double rows = (problem.image.height + output_extent(problem).height) / 2.0;  // two real rows a line
    const double columns = x.axis.length / 2.0 + 1;
    const double padded = static_cast<double>(x.axis.length) * y.axis.length;
    const double spectra = padded / 2 * problem.channels * static_cast<double>(stored_complex_bytes(problem.precision));
    const double passes = pass_cost(spectra, traits) * (rows_take_steps(problem, traits) ? 2.0 / 3 : 1);
    return rows * x.cost + 2 * columns * y.cost + padded * passes;
}

Costs costs_of(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    const DirectPlan direct = plan_direct(problem, traits);
    const double taps = static_cast<double>(direct.x.taps) * direct.y.taps;
    Costs costs;
    costs.direct = static_cast<double>(output_extent(problem).pixels()) *
                   direct_cost(taps, direct.unrolled && direct.patches, traits);
    if (const auto tiles = plan_tiles(problem, traits, decisions, tile_lanes(traits, decisions)))
        costs.tiled = tiles_cost(*tiles, traits);
    costs.fft = fft_cost(problem, traits);
    if (rows_take_steps(problem, traits)) {
        const double steps = static_cast<double>(output_extent(problem).pixels()) * step_cost();
        costs.direct += steps;
        costs.tiled += steps;
    }
    return costs;
}

/// Samples of an axis that is as large as any of this PSF, as far as a line holds it.
int large_count(const AxisProblem& axis) { return std::max(axis.count, std::min(2048, max_count(axis))); }

/// The method that is cheapest for this PSF in a large image. Smaller images use it too if another method would save
/// little, because compiling the programs of a second method takes longer than that.
MethodChoice cheapest_method(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    Problem large = problem;
    large.image = {large_count(along_x(problem)), large_count(along_y(problem))};
    const Costs costs = costs_of(problem, traits, decisions);
    const Method own = costs_of(large, traits, decisions).cheapest();
    const Method best = costs.cheapest();
    const double more = costs.of(own) - costs.of(best);
    const Method method = more < kLittle || more < costs.of(best) / 4 ? own : best;
    return {method,
            fmt::format(
                "method {}: direct would cost {:.3g}, {}fft {:.3g} million operations a channel{}", name_of(method),
                costs.direct / 1e6, costs.tiled < kNoTiles ? fmt::format("tiled {:.3g}, ", costs.tiled / 1e6) : "",
                costs.fft / 1e6,
                method == best ? "" : "; it is the cheapest for this PSF in large images, and one method is enough")};
}

bool radix_is_forced(const Decisions& decisions)
{
    const auto forced = [](const RadixRequest& r) { return r.largest || !r.sequence.empty(); };
    return forced(decisions.radix_x) || forced(decisions.radix_y) || decisions.residence.has_value();
}

}  // namespace

MethodChoice choose_method(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    if (problem.support == KernelSupport::infinite) {
        const bool is_other = (decisions.method && *decisions.method != Method::fft) || decisions.tile;
        if (!is_other) return {Method::fft, "method fft: the kernel reaches everywhere"};
        throw InvalidProblem(fmt::format("--method {}: the kernel reaches everywhere, as inverses do; use auto or fft",
                                         name_of(decisions.method.value_or(Method::tiled))));
    }
    if (decisions.method) return {*decisions.method, fmt::format("method {} as requested", name_of(*decisions.method))};
    if (radix_is_forced(decisions)) return {Method::fft, "method fft: radices were requested"};
    if (decisions.tile) return {Method::tiled, "method tiled: a tile was requested"};
    return cheapest_method(problem, traits, decisions);
}

}  // namespace clconv
