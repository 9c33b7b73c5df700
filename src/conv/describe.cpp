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
                            pass.local.values, name_of(pass.local.exchange),
                            pass.local.cells * cell_bytes(pass.local) * pass.lines);
        if (pass.registers > 0) text += fmt::format(", {} registers", pass.registers);
    } else {
        text += fmt::format(" {} launches", pass.radices.size());
    }
    if (pass.local.order == LineOrder::in_place) text += fmt::format(", {}", name_of(pass.local.order));
    if (pass.butterflies == Butterflies::direct) text += ", direct butterflies";
    return text + fmt::format(" | {}\n", describe_axis(axis));
}

std::string describe_direct(const DirectPlan& direct)
{
    if (!direct.blocks) return "  samples  one a work-item: the PSF is too large for blocks in local memory\n";
    return fmt::format("  blocks   {}, {} a work-item at a time, {} items, {}, {} bytes | x from {}, y from {}\n",
                       to_string(direct.block), to_string(direct.results), direct.items.pixels(),
                       direct.unrolled ? "taps written out" : "taps in loops", direct.local_bytes,
                       direct.x.first_source, direct.y.first_source);
}

std::string describe_tiles(const TilePlan& tiles, int lanes)
{
    std::string text = fmt::format("  tiles    {} = {} x {}, {} valid, {} x {} in pairs, ", to_string(tiles.size),
                                   fmt::join(tiles.radices_x, "."), fmt::join(tiles.radices_y, "."),
                                   to_string(tiles.valid), tiles.across, tiles.down);
    text += lanes > 1 ? fmt::format("{} lanes", lanes)
                      : fmt::format("{} items, {}", tiles.items, tiles.split ? "split" : "whole");
    return text + fmt::format(", {} bytes | x from {}, y from {}\n", tiles.local_bytes, tiles.x.first_source,
                              tiles.y.first_source);
}

}  // namespace

std::string describe(const Plan& plan)
{
    std::string text = fmt::format("{} -> ", token(plan.problem));
    if (plan.method == Method::direct) {
        text += fmt::format("{} direct\n", to_string(plan.output));
        text += describe_direct(plan.direct);
    } else if (plan.method == Method::tiled) {
        text += fmt::format("{} tiled\n", to_string(plan.output));
        text += describe_tiles(plan.tiles, plan.lanes);
    } else {
        const Spectrum& s = plan.spectrum;
        text += fmt::format("{} padded {}x{} fft\n", to_string(plan.output), plan.x.length, plan.y.length);
        text += describe_pass("rows", plan.rows, plan.x, "line pairs", plan.lanes);
        const bool three = plan.columns.residence == Residence::local && plan.passes == Passes::separate;
        text +=
            describe_pass(three ? "columns, product, columns" : "columns", plan.columns, plan.y, "columns", plan.lanes);
        if (!(plan.rows_back == plan.rows))
            text += describe_pass("back", plan.rows_back, plan.x, "line pairs", plan.lanes);
        text += fmt::format("  spectra  {} columns in tiles of {} columns x {} rows, {} at once, {:.1f} MiB{}\n",
                            s.columns, s.tile_columns, s.rows_together, plan.planes,
                            static_cast<double>(plan.scratch_bytes()) / (1 << 20),
                            plan.packing == Packing::channels ? ", two channels a line" : "");
    }
    for (const std::string& reason : plan.reasons) text += fmt::format("  because  {}\n", reason);
    return text;
}

}  // namespace clconv
