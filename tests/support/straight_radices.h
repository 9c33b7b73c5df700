// SPDX-License-Identifier: Apache-2.0
// The radices whose butterflies are written out: all but the generic ones.
#pragma once

#include "fft/radix.h"

#include <vector>

namespace clconv::test {

/// In ascending order.
[[nodiscard]] inline std::vector<int> straight_radices()
{
    std::vector<int> radices;
    for (const Radix& radix : supported_radices())
        if (radix.butterfly != Butterfly::generic) radices.push_back(radix.size);
    return radices;
}

}  // namespace clconv::test
