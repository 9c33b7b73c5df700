#include "conv/plan.h"

#include <fmt/format.h>

namespace clconv {
namespace {

std::string describe_axis(const Axis& axis)
{
    std::string text = fmt::format("{} samples to {}", axis.count, axis.length);
    if (axis.extended())
        text += fmt::format(", border from {} to {}", axis.first_source, axis.first_source + axis.loaded - 1);
    return text;
}

std::string describe_pass(std::string_view name, const LinePlan& pass, const Axis& axis, std::string_view lines,
                          int lanes)
{
    std::string text =
        fmt::format("  {:<8} {}={} {}", name, axis.length, fmt::join(pass.radices, "."), name_of(pass.residence));
    if (lanes > 1) {
        text += fmt::format(" {} lanes", lanes);
    } else if (pass.residence == Residence::local) {
        text += fmt::format(" {} items x {} {}, {} values, {}, {} bytes", pass.local.items, pass.lines, lines,
                            pass.local.values, pass.local.split ? "split" : "whole",
                            pass.local.cells * cell_bytes(pass.local) * pass.lines);
        if (pass.registers > 0) text += fmt::format(", {} registers", pass.registers);
    } else {
        text += fmt::format(" {} launches", pass.radices.size());
    }
    return text + fmt::format(" | {}\n", describe_axis(axis));
}

}  // namespace

std::string describe(const Plan& plan)
{
    std::string text = fmt::format("{} -> ", token(plan.problem));
    if (plan.method == Method::direct) {
        text += fmt::format("{} direct\n", to_string(plan.output));
    } else {
        const Spectrum& s = plan.spectrum;
        text += fmt::format("{} padded {}x{} fft\n", to_string(plan.output), plan.x.length, plan.y.length);
        text += describe_pass("rows", plan.rows, plan.x, "line pairs", plan.lanes);
        text += describe_pass("columns", plan.columns, plan.y, "columns", plan.lanes);
        text += fmt::format("  spectra  {} columns in tiles of {} columns x {} rows, {} at once, {:.1f} MiB\n",
                            s.columns, s.tile_columns, s.rows_together, plan.planes,
                            static_cast<double>(plan.scratch_bytes()) / (1 << 20));
    }
    for (const std::string& reason : plan.reasons) text += fmt::format("  because  {}\n", reason);
    return text;
}

}  // namespace clconv
