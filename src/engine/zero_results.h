// SPDX-License-Identifier: Apache-2.0
// The exact zeros of some rows of a result, written over what the device has computed.
//
// Transforms spread a rounding error of the brightest sample over everything, and a bias that was subtracted comes back
// with one. So the host writes the right values where zero_stretches() finds zeros: 0, or what a blend makes of 0.
#pragma once

#include "engine/zero_rule.h"
#include "engine/zero_stretches.h"

#include <cstddef>
#include <vector>

namespace clconv {

class ZeroResults {
public:
    /// For output rows `first` .. `first` + `count` - 1. `row` returns the image rows that they depend on. `rule` and
    /// the samples must outlive this.
    ZeroResults(const ZeroRule& rule, int first, int count, ZeroRow row);

    /// Whether columns first .. last of all these rows and channels are zeros.
    [[nodiscard]] bool cover(int first, int last) const;

    /// Writes them over `result`, the rows' samples: 0, or what a blend makes of 0.
    void write(std::byte* result) const;

private:
    [[nodiscard]] const Stretches& at(int row, int channel) const;

    const ZeroRule& rule_;
    int first_;
    int count_;
    ZeroRow row_;
    std::vector<Stretches> zeros_;  ///< zero_stretches()
};

}  // namespace clconv
