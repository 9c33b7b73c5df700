// The bytes that a plan must move, and so the least time it can take at a device's copy bandwidth.
//
// Per channel: image in and result out once, half spectra written and read twice (by the row pass and the column pass,
// there and back), only rows that exist; and the transfer once a PSF channel.
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
