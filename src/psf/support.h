// SPDX-License-Identifier: Apache-2.0
// The places where a PSF has weights other than zero. They tell which samples a result depends on.
#pragma once

#include "psf/psf.h"

#include <vector>

namespace clconv {

/// Neighbouring weights in one row of the PSF rotated by 180 degrees, none of them zero. The result at (x, y) depends
/// on positions (x + first, y + row) to (x + last, y + row) of the extended image, whose position (0, 0) is the first
/// one that result (0, 0) can depend on.
struct SupportRun {
    int row;
    int first;
    int last;
    [[nodiscard]] int length() const { return last - first + 1; }
};

struct ChannelSupport {
    std::vector<SupportRun> runs;        ///< the longest first
    bool is_nonnegative = true;          ///< no weight is negative
    double positive = 0, negative = 0;   ///< sums of the magnitudes of weights of either sign
    std::vector<double> row_energies{};  ///< [rows of the rotated PSF], sums of the weights' squares
};

/// The support of each channel of a PSF.
struct PsfSupport {
    Extent extent;  ///< of the PSF
    std::vector<ChannelSupport> channels;

    [[nodiscard]] const ChannelSupport& of(int image_channel) const
    {
        return channels[channels.size() == 1 ? 0 : static_cast<std::size_t>(image_channel)];
    }
};
[[nodiscard]] PsfSupport support_of(const Psf& psf);

/// The support of a PSF with one channel of this extent, without any zero.
[[nodiscard]] PsfSupport full_support(Extent extent);

}  // namespace clconv
