// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include "base/overloaded.h"
#include "fft/lane_line.h"
#include "plan/variants.h"

#include <fmt/format.h>

namespace clconv {
namespace {

std::string describe_axis(const Axis& axis)
{
    const int last_source = axis.first_source + axis.loaded - 1;
    if (axis.parts > 1)
        return fmt::format("{} samples in {} parts to {}, the first part from {} to {}", axis.count, axis.parts,
                           axis.length, axis.first_source, last_source);
    std::string text = fmt::format("{} samples to {}", axis.count, axis.length);
    if (axis.extended()) text += fmt::format(", border from {} to {}", axis.first_source, last_source);
    return text;
}

/// What a work-group has.
struct GroupLines {
    std::string_view what = "line pairs";
    int channels = 1;  ///< whose lines these are
};

std::string describe_pass(std::string_view name, const LinePlan& pass, const Axis& axis, const GroupLines& group,
                          int lanes)
{
    std::string text =
        fmt::format("  {:<8} {}={} {}", name, axis.length, fmt::join(pass.radices, "."), name_of(pass.residence));
    if (lanes > 1) {
        text += fmt::format(" {} lanes", lanes);
    } else if (pass.residence == Residence::local) {
        text += fmt::format(" {} items x {} {}", pass.local.items, pass.lines, group.what);
        if (group.channels > 1) text += fmt::format(" x {} channels", group.channels);
        text += fmt::format(", {} values, {}, {} bytes", pass.local.values, name_of(pass.local.exchange),
                            pass.local.cells * cell_bytes(pass.local) * pass.lines * group.channels);
        if (pass.registers > 0) text += fmt::format(", {} registers", pass.registers);
    } else {
        text += fmt::format(" {} launches", pass.radices.size());
    }
    if (pass.local.order == LineOrder::in_place) text += fmt::format(", {}", name_of(pass.local.order));
    if (pass.butterflies == Butterflies::direct) text += ", direct butterflies";
    return text + fmt::format(" | {}\n", describe_axis(axis));
}

std::string describe_passes(const FftPlan& fft)
{
    const auto pass = [&](std::string_view name, const LinePlan& plan, const Axis& axis, const GroupLines& group) {
        const int lanes = fft.by_lanes() && &plan != &fft.columns ? kLanes : fft.lanes;
        return describe_pass(name, plan, axis, group, lanes);
    };
    const bool three = fft.columns.residence == Residence::local && fft.passes == Passes::separate;
    std::string text = pass("rows", fft.rows, fft.x, {});
    text += pass(three ? "columns, product, columns" : "columns", fft.columns, fft.y, {"columns"});
    const int channels = fft.channels_back(fft.planes);  // whole pixels: all channels are in one launch
    if (!(fft.rows_back == fft.rows) || channels > 1)
        text += pass("back", fft.rows_back, fft.x, {.channels = channels});
    return text;
}

std::string describe_spectra(const FftPlan& fft, Precision precision)
{
    const Spectrum& s = fft.spectrum;
    return fmt::format("  spectra  {} columns in bundles of {} columns x {} rows, {} at once, {:.1f} MiB{}\n",
                       s.columns, s.bundle_columns, s.rows_together, fft.planes,
                       static_cast<double>(fft.scratch_bytes(precision)) / (1 << 20),
                       variant_text(fft) + (fft.long_columns ? ", long columns in global memory" : "") +
                           (fft.conjugates ? ", times the conjugate transfer" : ""));
}

std::string describe_direct(const DirectPlan& direct)
{
    if (!direct.patches) return "  samples  one a work-item: the PSF is too large for patches in local memory\n";
    return fmt::format("  patches  {}, {} a work-item at a time, {} items, {}, {} bytes | x from {}, y from {}\n",
                       to_string(direct.patch), to_string(direct.results), direct.items.pixels(),
                       direct.unrolled ? "taps written out" : "taps in loops", direct.local_bytes,
                       direct.x.first_source, direct.y.first_source);
}

std::string describe_tiles(const TilePlan& tiles)
{
    std::string text = fmt::format("  tiles    {} = {} x {}, {} valid, {} x {} in pairs, ", to_string(tiles.size),
                                   fmt::join(tiles.radices_x, "."), fmt::join(tiles.radices_y, "."),
                                   to_string(tiles.valid), tiles.across, tiles.down);
    text += tiles.by_lanes() ? fmt::format("{} lanes", tiles.lanes)
                             : fmt::format("{} items, {}", tiles.items, tiles.split ? "split" : "whole");
    return text + fmt::format(", {} bytes | x from {}, y from {}\n", tiles.local_bytes, tiles.x.first_source,
                              tiles.y.first_source);
}

/// The text after the method's name.
std::string describe_how(const Plan& plan)
{
    return std::visit(Overloaded{[&](const FftPlan& fft) {
                                     return describe_passes(fft) + describe_spectra(fft, plan.problem.precision);
                                 },
                                 [](const TilePlan& tiles) { return describe_tiles(tiles); },
                                 [](const DirectPlan& direct) { return describe_direct(direct); }},
                      plan.how);
}

}  // namespace

std::string title_of(const Plan& plan)
{
    std::string padded = plan.is_fft() ? fmt::format(" padded {}", to_string(padded_extent(plan))) : "";
    if (plan.is_fft() && plan.fft().y.parts > 1) padded += fmt::format(" in {} parts", plan.fft().y.parts);
    return fmt::format("{} -> {}{} {}", token(plan.problem), to_string(plan.output), padded, name_of(plan.method()));
}

std::string describe_work(const Plan& plan) { return title_of(plan) + "\n" + describe_how(plan); }

std::string describe(const Plan& plan)
{
    std::string text = describe_work(plan);
    for (const std::string& reason : plan.reasons) text += fmt::format("  because  {}\n", reason);
    return text;
}

}  // namespace clconv
