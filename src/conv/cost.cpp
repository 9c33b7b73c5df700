#include "conv/cost.h"

#include "fft/radix.h"

namespace clconv {

double stage_cost(int radix, Residence residence)
{
    // An exchange through local memory costs about as much as a radix-8 butterfly, one through global memory several
    // times that. Radix 32 needs 64 complex registers where butterflies come in pairs; it must save a stage to pay. The
    // large odd radices cannot take the twiddles into fused operations: on an H200 1152 = 16.9.8 is faster than
    // 1056 = 24.11.4.
    const double exchange = residence == Residence::local ? 8 : 40;
    const double registers = radix == 32 ? 3 : radix == 11 || radix == 13 ? 5 : 0;
    return operations_per_value(*supported_radix(radix)) + exchange + registers;
}

double lane_stage_cost(int radix) { return operations_per_value(*supported_radix(radix)) + 4; }

double direct_cost_per_tap(const DeviceTraits& traits) { return traits.is_cpu ? 4 : 2; }

double pass_cost(const DeviceTraits& traits) { return traits.is_cpu ? 60 : 40; }

}  // namespace clconv
