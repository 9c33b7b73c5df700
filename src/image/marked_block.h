// Memory that a decoder is to fill, so that what it leaves out is found. Private to src/image.
#pragma once

#include "image/image.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace clconv::oiio {

/// Whether a format's decoder may leave samples as they are and say that all went well. libpng and libjpeg never do.
[[nodiscard]] bool may_leave_gaps(std::string_view format);

/// A block of samples. Blocks are used again, and what a decoder does not write would be another image's.
class MarkedBlock {
public:
    /// Makes all samples missing (NaN, or 0 in integers) and marks the block every so often.
    MarkedBlock(std::byte* samples, std::size_t bytes, SampleType type);
    /// The same for pixels of several types: `missing` is one whose samples are missing.
    MarkedBlock(std::byte* samples, std::size_t bytes, std::vector<std::byte> missing);

    /// Whether a mark is still there. Then makes the samples below it missing, too.
    [[nodiscard]] bool has_gaps();

private:
    template <class Function>
    void for_each_mark(const Function& function) const;
    /// Makes bytes first .. first + count - 1 what they are where samples are missing.
    void fill_missing(std::size_t first, std::size_t count) const;

    std::byte* samples_;
    std::size_t bytes_;
    std::vector<std::byte> missing_;
};

}  // namespace clconv::oiio
