#include "conv/cost.h"

#include "fft/radix.h"

namespace clconv {

double stage_cost(int radix, Residence residence)
{
    // An exchange through local memory costs about as much as a radix-8 butterfly, one through global memory several
    // times that. Butterflies above 16 leave room for fewer work-groups: on an H200 1152 = 16.9.8 is faster than
    // 1056 = 24.11.4, and 2304 = 16.16.9 faster than 24.24.4; but 8192 = 32.16.16 is faster than any four stages.
    const double exchange = residence == Residence::local ? 8 : 40;
    const double registers = radix <= 16 ? 0 : radix <= 20 ? 4 : radix <= 24 ? 6 : 7;
    return operations_per_value(*supported_radix(radix)) + exchange + registers;
}

double lane_stage_cost(int radix) { return operations_per_value(*supported_radix(radix)) + 4; }

double direct_cost_per_tap(const DeviceTraits& traits) { return traits.is_cpu ? 4 : 2; }

double pass_cost(const DeviceTraits& traits) { return traits.is_cpu ? 60 : 40; }

}  // namespace clconv
