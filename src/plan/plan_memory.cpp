// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_memory.h"

#include "base/ceil_div.h"
#include "base/overloaded.h"
#include "plan/plan_lanes.h"

#include <algorithm>

namespace clconv {

int FftPlan::planes_of(int channels) const { return packing == Packing::channels ? ceil_div(channels, 2) : channels; }

std::uint64_t FftPlan::transfer_cells() const
{
    if (by_lanes()) return static_cast<std::uint64_t>(rounded_up(spectrum.columns, lanes)) * y.length;
    if (columns.residence == Residence::global) return static_cast<std::uint64_t>(spectrum.columns) * y.length;
    const int last = columns.radices.back();
    const int values = ceil_div(y.length / last, columns.local.items) * last;
    return static_cast<std::uint64_t>(spectrum.bundles) * spectrum.bundle_columns * values * columns.local.items;
}

std::uint64_t FftPlan::separate_cells() const
{
    const bool separate = passes == Passes::separate && columns.residence == Residence::local;
    return separate ? transfer_cells() * planes : 0;
}

std::uint64_t FftPlan::spectra_bytes(Precision precision) const
{
    return spectrum.cells() * planes * stored_complex_bytes(precision);
}

std::uint64_t FftPlan::scratch_bytes(Precision precision) const
{
    std::uint64_t lines = separate_cells();  // in global memory, in the precision of the arithmetic
    if (rows.residence == Residence::global) lines += 2ull * spectrum.packs * spectrum.rows_together / 2 * x.length;
    if (columns.residence == Residence::global) lines += 2ull * spectrum.columns * y.length;
    return intermediates() * spectra_bytes(precision) + lines * 2 * scalar_bytes(precision);
}

std::uint64_t Plan::scratch_bytes() const { return is_fft() ? fft().scratch_bytes(problem.precision) : 0; }

std::uint64_t Plan::transfer_bytes() const
{
    const std::uint64_t stored = stored_complex_bytes(problem.precision);
    return std::visit(
        Overloaded{
            [&](const FftPlan& fft) { return fft.transfer_cells() * fft.planes_of(problem.psf_channels) * stored; },
            [&](const TilePlan& tiles) { return tiles.size.pixels() * problem.psf_channels * stored; },
            [](const DirectPlan&) { return std::uint64_t{0}; }},
        how);
}

int transfers_at_once(const Problem& problem) { return problem.support == KernelSupport::infinite ? 3 : 1; }

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
    if (mode_of(problem.border).divides_by_coverage)
        add(plan.output.pixels() * problem.psf_channels * scalar_bytes(problem.precision));
    sum.together += problem.extra_bytes;
    if (!plan.is_fft()) return sum;
    const FftPlan& fft = plan.fft();
    for (int transfer = 0; transfer < transfers_at_once(problem); ++transfer) add(plan.transfer_bytes());
    const std::uint64_t spectra = fft.spectra_bytes(problem.precision);
    FftPlan adjoint = fft;  // it may need every row of the columns
    adjoint.spectrum.packs =
        std::max(fft.spectrum.packs,
                 fft.by_lanes() ? lane_packs(fft.y.length) : ceil_div(fft.y.length, fft.spectrum.rows_together));
    add(problem.alternates ? adjoint.spectra_bytes(problem.precision) : spectra);
    sum.together += plan.scratch_bytes() - spectra;  // lines of global residence, spectra of separate passes
    sum.largest = std::max(sum.largest, fft.separate_cells() * 2 * scalar_bytes(problem.precision));
    return sum;
}

}  // namespace clconv
