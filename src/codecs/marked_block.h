// SPDX-License-Identifier: Apache-2.0
// Memory for a decoder, in which samples that it leaves out are found. Private to src/codecs.
#pragma once

#include "image/image.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace clconv::oiio {

/// Whether a format's decoder may leave samples unwritten and report success. libpng and libjpeg never do.
[[nodiscard]] bool may_leave_gaps(std::string_view format);

/// A block of samples. Blocks are reused, so samples that a decoder does not write would be another image's.
class MarkedBlock {
public:
    /// Makes all samples missing (NaN, or 0 in integers), and marks the block at regular distances.
    MarkedBlock(std::byte* samples, std::size_t bytes, SampleType type);
    /// The same for pixels of several types: `missing` is a pixel with missing samples.
    MarkedBlock(std::byte* samples, std::size_t bytes, std::vector<std::byte> missing);

    /// Whether a mark is still there. If so, also makes the samples under it missing.
    [[nodiscard]] bool has_gaps();

    /// Makes all samples missing again, without marks.
    void unmark() const { fill_missing(0, bytes_); }

private:
    template <class Function>
    void for_each_mark(const Function& function) const;
    /// Makes the samples in bytes first .. first + count - 1 missing.
    void fill_missing(std::size_t first, std::size_t count) const;

    std::byte* samples_;
    std::size_t bytes_;
    std::vector<std::byte> missing_;
};

}  // namespace clconv::oiio
