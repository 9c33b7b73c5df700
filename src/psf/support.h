// Where a PSF has weights other than zero: what its results can see.
#pragma once

#include "psf/psf.h"

#include <vector>

namespace clconv {

/// Weights side by side, none of which is zero, in a PSF that is turned by 180 degrees: a result looks at the extended
/// image's positions from its own + (first, row) to its own + (last, row), the first result's own being 0, 0 and
/// position 0, 0 the first that any weight can bring to it.
struct SupportRun {
    int row;
    int first;
    int last;
    [[nodiscard]] int length() const { return last - first + 1; }
};

struct ChannelSupport {
    std::vector<SupportRun> runs;        ///< the longest first
    bool is_nonnegative = true;          ///< no weight is negative
    double positive = 0, negative = 0;   ///< sums of the weights of either sign, both not negative
    std::vector<double> row_energies{};  ///< [rows of the turned PSF], sums of squares
};

/// Of each of a PSF's channels.
struct PsfSupport {
    Extent extent;  ///< of the PSF
    std::vector<ChannelSupport> channels;

    [[nodiscard]] const ChannelSupport& of(int image_channel) const
    {
        return channels[channels.size() == 1 ? 0 : static_cast<std::size_t>(image_channel)];
    }
};
[[nodiscard]] PsfSupport support_of(const Psf& psf);

/// That of a PSF of one channel and such an extent, all of whose weights count.
[[nodiscard]] PsfSupport full_support(Extent extent);

}  // namespace clconv
