// SPDX-License-Identifier: Apache-2.0
// The header of a new FITS image, and the sums that show whether a file is unchanged (FITS standard 4.0, 4.4.2 and
// appendix J).
#pragma once

#include "base/ceil_div.h"
#include "base/file_type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::fits {

/// A file consists of blocks of this many bytes, and a header consists of cards.
inline constexpr std::size_t kBlock = 2880;
inline constexpr std::size_t kCard = 80;

[[nodiscard]] constexpr std::int64_t up_to_block(std::int64_t bytes)
{
    return rounded_up(bytes, static_cast<std::int64_t>(kBlock));
}

struct NewHeader {
    FileType type = FileType::float32;  ///< of the samples: not half
    std::vector<std::int64_t> axes;     ///< NAXIS1, ...
    bool is_extension = false;          ///< not the file's first HDU
    std::string cards;                  ///< of the input's header; those about storage of pixels are left out
    std::map<int, double> shifts;       ///< of pixel coordinates along an axis, from 1: new minus old
    int meaningful_axes = 0;            ///< of the input; cards about higher axes are left out; 0: all axes
    std::string history;                ///< a line for HISTORY; none if empty
};

/// Whether the cards have CHECKSUM or DATASUM.
[[nodiscard]] bool has_checksums(std::string_view cards);

/// The ones' complement sum of the 32-bit words of a file. Its bytes may come in any order.
class Checksum {
public:
    /// Adds bytes at `offset` from a position that is a multiple of four.
    void add(std::int64_t offset, const void* bytes, std::size_t count);
    [[nodiscard]] std::uint32_t value() const;

private:
    std::array<std::uint64_t, 4> lanes_{};
};

/// The whole header, in blocks. `data`: the sum of the data that follow, also in blocks, if the header gets checksums.
[[nodiscard]] std::string header_text(const NewHeader& header, const std::uint32_t* data);

/// Whether BZERO shifts a type's integers in the file, which flips the first bit of each.
[[nodiscard]] bool has_flipped_sign(FileType type);

}  // namespace clconv::fits
