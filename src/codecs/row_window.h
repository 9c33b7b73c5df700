// SPDX-License-Identifier: Apache-2.0
// The rows of an image file that are needed at a time. Most of them stay for the next time.
#pragma once

#include "base/bytes.h"
#include "codecs/row_reader.h"

#include <span>
#include <vector>

namespace clconv {

class RowWindow {
public:
    /// Neighbouring rows, without gaps.
    struct Rows {
        int first = 0;
        ImageView view;
        std::byte* samples = nullptr;  ///< those of the view, for callers that may change them
    };

    /// Has memory for `capacity` rows. `reader` must outlive it.
    RowWindow(RowReader& reader, int capacity);

    /// Reads the rows of `rows` (in order, each once, at most the capacity) that are not held yet. Other rows may be
    /// dropped. Returns the rows that were read. Throws InputError.
    std::vector<Rows> hold(std::span<const int> rows);

    /// The samples of a row that is held.
    [[nodiscard]] const std::byte* row(int y) const;
    /// Its copied channels, of a file with a split.
    [[nodiscard]] const std::byte* kept_row(int y) const;

private:
    RowReader& reader_;
    std::size_t row_bytes_;
    Bytes memory_;
    std::size_t kept_row_bytes_;  ///< 0 without a split
    Bytes kept_;
    std::vector<int> slots_;  ///< of each image row; -1: not held
    std::vector<int> rows_;   ///< in each slot; -1: none
};

}  // namespace clconv
