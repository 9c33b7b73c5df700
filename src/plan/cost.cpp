// SPDX-License-Identifier: Apache-2.0
#include "plan/cost.h"

#include "fft/radix.h"

namespace clconv {

double stage_cost(int radix, Residence residence)
{
    // An exchange through local memory costs about as much as a radix-8 butterfly, one through global memory several
    // times that.
    const double exchange = residence == Residence::local ? 8 : 40;
    const Radix known = supported_radix(radix).value();
    return operations_per_value(known) + exchange + known.burden;
}

double lane_stage_cost(int radix) { return operations_per_value(*supported_radix(radix)) + 4; }

// The costs of the methods of one launch, in the same unit as the passes of fft. Those of the H200 are fitted to the
// table of small PSFs (docs/decisions/008-direct-tiled-or-fft.md), where 3840x2160x3 by fft takes 0.225 ms, which is
// 1500 million operations a channel. They are within 8 % of each measured time, except that 32x64 is 5 to 10 % faster.
// Those of the CPU make tiles as expensive as fft at a PSF of about 105 where spectra fill the last cache, of about 70
// where they do not, and direct sums as expensive as tiles at 6 or 7.

double tile_stage_cost(int radix, bool split, const DeviceTraits& traits)
{
    const double work = operations_per_value(*supported_radix(radix));
    return traits.is_cpu ? 1.1 * (work + 4) : (split ? 0.775 : 0.62) * (work + 8);
}

double direct_cost(double taps, bool unrolled, const DeviceTraits& traits)
{
    if (traits.is_cpu) return 45 + 2 * taps;
    return 38 + (unrolled ? 0.68 : 1.4) * taps;
}

double launch_cost(const DeviceTraits& traits) { return traits.is_cpu ? 40 : 23; }

// With it, transforms and tiles cost the same at a PSF of about 19, as measured with 1024x1024 and 2048x2048 floats.
double step_cost() { return 40; }

double pass_cost(double spectra, const DeviceTraits& traits)
{
    if (!traits.is_cpu) return 40;
    // Spectra that do not fit the last cache go to memory and back twice. Fitted to the table of tiles and three
    // launches: docs/decisions/008-direct-tiled-or-fft.md.
    constexpr double cache = 24 << 20U;
    return spectra > cache ? 110 : 60;
}

}  // namespace clconv
