// SPDX-License-Identifier: Apache-2.0
// Whether a picture of AV1 is coded without loss, from the heads of its sequence and its frame.
#pragma once

#include <optional>
#include <string_view>

namespace clconv::oiio {

/// What a still picture of AV1 says of its coding.
struct Av1Coding {
    bool is_lossless = false;  ///< codes are exact
    bool is_gray = false;
    int matrix = 2;     ///< ISO 23091-2: 0 is RGB itself
    double chroma = 1;  ///< samples of chroma for each of luminance
};

/// `units`: the picture's open bitstream units, at least up to the frame's head. Nothing if they are of a kind that no
/// still picture is, or damaged.
[[nodiscard]] std::optional<Av1Coding> av1_coding(std::string_view units);

}  // namespace clconv::oiio
