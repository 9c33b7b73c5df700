// SPDX-License-Identifier: Apache-2.0
// Division that rounds up.
#pragma once

namespace clconv {

/// The parts of at most `size` that `total` is cut into: total / size, rounded up. Both are positive.
template <class Integer>
[[nodiscard]] constexpr Integer ceil_div(Integer total, Integer size)
{
    return (total + size - 1) / size;
}

/// The smallest multiple of `step` that is at least `value`.
template <class Integer>
[[nodiscard]] constexpr Integer rounded_up(Integer value, Integer step)
{
    return ceil_div(value, step) * step;
}

}  // namespace clconv
