// SPDX-License-Identifier: Apache-2.0
#include "plan/half_range.h"

#include <cmath>

namespace clconv {
namespace {

constexpr int kMaxExponent = 15;

/// The largest power of two whose product with `bound` is at most 2^kMaxExponent; 1 for a bound of zero.
double power_of_two_for(double bound)
{
    if (bound == 0) return 1;
    int exponent = 0;
    const double fraction = std::frexp(bound, &exponent);  // bound = fraction * 2^exponent, fraction in [0.5, 1)
    if (fraction == 0.5) --exponent;
    return std::ldexp(1.0, kMaxExponent - exponent);
}

}  // namespace

double half_sample_scale(double magnitude, int loaded) { return power_of_two_for(2 * magnitude * loaded); }

double half_psf_scale(double sum) { return power_of_two_for(2 * sum); }

double half_column_scale(int length)
{
    return power_of_two_for(std::ldexp(static_cast<double>(length), 2 * kMaxExponent));
}

}  // namespace clconv
