// The rows of an image file that are needed at a time, of which most stay when the next ones are.
#pragma once

#include "base/bytes.h"
#include "image/row_reader.h"

#include <span>
#include <vector>

namespace clconv {

class RowWindow {
public:
    /// Neighbouring rows, without gaps.
    struct Rows {
        int first = 0;
        ImageView view;
        std::byte* samples = nullptr;  ///< the view's, for who may change them
    };

    /// Has memory for `capacity` rows. `reader` must outlive it.
    RowWindow(RowReader& reader, int capacity);

    /// Reads those of `rows` (in order, each once, at most the capacity) that are not there yet; others may go. Returns
    /// what was read. Throws InputError.
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
