#include "conv/plan_memory.h"

#include <algorithm>

namespace clconv {

int Plan::image_planes() const { return packing == Packing::channels ? (problem.channels + 1) / 2 : problem.channels; }

int Plan::psf_planes() const
{
    return packing == Packing::channels ? (problem.psf_channels + 1) / 2 : problem.psf_channels;
}

std::uint64_t Plan::transfer_cells() const
{
    if (method == Method::tiled) return tiles.size.pixels();
    if (method != Method::fft) return 0;
    if (lanes > 1) return static_cast<std::uint64_t>((spectrum.columns + lanes - 1) / lanes) * lanes * y.length;
    if (columns.residence == Residence::global) return static_cast<std::uint64_t>(spectrum.columns) * y.length;
    const int last = columns.radices.back();
    const int values = (y.length / last + columns.local.items - 1) / columns.local.items * last;
    return static_cast<std::uint64_t>(spectrum.tiles) * spectrum.tile_columns * values * columns.local.items;
}

std::uint64_t Plan::scratch_bytes() const
{
    if (method != Method::fft) return 0;
    const std::uint64_t spectra = spectrum.cells() * planes;
    std::uint64_t lines = 0;  // in global memory, as the arithmetic has them
    if (columns.residence == Residence::local && passes == Passes::separate) lines += transfer_cells() * planes;
    if (rows.residence == Residence::global) lines += 2ull * spectrum.packs * spectrum.rows_together / 2 * x.length;
    if (columns.residence == Residence::global) lines += 2ull * spectrum.columns * y.length;
    return spectra * stored_complex_bytes(problem.precision) + lines * 2 * scalar_bytes(problem.precision);
}

DeviceBytes device_bytes(const Plan& plan)
{
    const Problem& problem = plan.problem;
    DeviceBytes sum;
    const auto add = [&sum](std::uint64_t bytes) {
        sum.together += bytes;
        sum.largest = std::max(sum.largest, bytes);
    };
    add(problem.image.pixels() * problem.channels * bytes_of(problem.input));
    add(plan.output.pixels() * problem.channels * bytes_of(problem.output));
    if (problem.border == Border::renormalize)
        add(plan.output.pixels() * problem.psf_channels * scalar_bytes(problem.precision));
    if (plan.method != Method::fft) return sum;
    const std::uint64_t stored = stored_complex_bytes(problem.precision);
    add(plan.transfer_cells() * plan.psf_planes() * stored);
    const std::uint64_t spectra = plan.spectrum.cells() * plan.planes * stored;
    add(spectra);
    sum.together += plan.scratch_bytes() - spectra;  // lines of global residence, spectra of separate passes
    if (plan.passes == Passes::separate && plan.columns.residence == Residence::local)
        sum.largest = std::max(sum.largest, plan.transfer_cells() * plan.planes * 2 * scalar_bytes(problem.precision));
    return sum;
}

}  // namespace clconv
