// SPDX-License-Identifier: Apache-2.0
// Samples as a file stores them, one channel at a time as numbers.
#pragma once

#include "base/extent.h"
#include "base/file_type.h"
#include "base/names.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clconv {

/// The numbers that integers stand for: `--scale`.
enum class SampleScale {
    codes,  ///< as they are stored
    unit,   ///< codes of 8 and 16 bits over the largest code; others as they are stored
};
template <>
inline constexpr auto kNames<SampleScale> = std::to_array<Named<SampleScale>>({{"codes", SampleScale::codes},
                                                                               {"unit", SampleScale::unit}});

/// Where the pixels of a file lie: the data window and the display window of OpenEXR, and what other formats have of
/// them.
struct FramePlace {
    Position position = {};  ///< of the first pixel, in the frame
    Extent frame = {};       ///< the pixels' own if the file has nothing around them
    friend bool operator==(const FramePlace&, const FramePlace&) = default;
};

/// Pixels without gaps. The channels of each pixel follow each other, in their own types. Does not own them.
struct StoredSamples {
    Extent extent;
    std::vector<std::string> names;  ///< of the channels
    std::vector<FileType> types;     ///< of the channels
    const std::byte* pixels = nullptr;
    FramePlace place = {};

    [[nodiscard]] std::size_t channels() const { return types.size(); }
    /// The samples of a channel, row by row.
    [[nodiscard]] std::vector<double> plane(std::size_t channel, SampleScale scale) const;
    /// Numbers that are as far apart as the samples are in representable values of their type: codes of integers, and
    /// for floats their bits, counted from 0. Of doubles, the lowest bits are lost beyond 2^53 steps from 0. NaN is
    /// NaN.
    [[nodiscard]] std::vector<double> steps(std::size_t channel) const;
};

/// What one step of a code is worth under a scale.
[[nodiscard]] double unit_of(FileType type, SampleScale scale);

/// The largest number of an integer type less its smallest one; 0 for types that are no integers.
[[nodiscard]] double range_of(FileType type, SampleScale scale);

}  // namespace clconv
