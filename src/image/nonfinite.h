// SPDX-License-Identifier: Apache-2.0
// Samples that are not finite: NaN and infinite ones.
#pragma once

#include "base/bytes.h"
#include "base/image_view.h"
#include "image/nodata.h"

#include <cstddef>
#include <optional>

namespace clconv {

/// How many there are, and where the first one is.
struct NonFinite {
    std::size_t count = 0;
    Position first;  ///< in reading order
    int channel = 0;
    std::optional<Nodata> nodata = {};  ///< of the image, whose missing samples are among them
    bool were_doubles = false;          ///< which became floats; some may be finite, but beyond the range of float
};

/// Counts NaN and infinite samples of a half or float image; none for integers.
[[nodiscard]] NonFinite find_nonfinite(const ImageView& image);

/// Makes NaN and infinite samples 0. `samples`: those of `image`.
void zero_nonfinite(const ImageView& image, std::byte* samples);

/// One byte a sample: 255 if it is not finite, else 0.
[[nodiscard]] Bytes nonfinite_mask(const ImageView& image);

}  // namespace clconv
