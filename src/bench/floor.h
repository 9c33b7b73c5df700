// SPDX-License-Identifier: Apache-2.0
// The bytes that a plan must move. At a device's copy bandwidth they give the minimum time that it can take.
//
// For each channel, or pair of channels that share lines: image in and result out once, and half spectra written and
// read twice (by the row pass and the column pass, forward and inverse), for existing rows only. Plus the transfer,
// once for each channel of the PSF.
#pragma once

#include "plan/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clconv {

struct PassBytes {
    std::string pass;  ///< as in the launcher's times
    std::uint64_t bytes = 0;
};

/// The passes of one image, in order.
[[nodiscard]] std::vector<PassBytes> pass_bytes(const Plan& plan);

}  // namespace clconv
