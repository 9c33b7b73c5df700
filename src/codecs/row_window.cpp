// SPDX-License-Identifier: Apache-2.0
#include "codecs/row_window.h"

#include <algorithm>

namespace clconv {

RowWindow::RowWindow(RowReader& reader, int capacity)
    : reader_(reader),
      row_bytes_(reader.header().view().bytes() / static_cast<std::size_t>(reader.header().extent.height)),
      memory_(row_bytes_ * static_cast<std::size_t>(capacity)),
      kept_row_bytes_(reader.header().split ? reader.header().split->kept_row_bytes() : 0),
      kept_(kept_row_bytes_ * static_cast<std::size_t>(capacity)),
      slots_(static_cast<std::size_t>(reader.header().extent.height), -1),
      rows_(static_cast<std::size_t>(capacity), -1)
{
}

std::vector<RowWindow::Rows> RowWindow::hold(std::span<const int> rows)
{
    std::vector<int> free;
    for (std::size_t slot = 0; slot < rows_.size(); ++slot) {
        int& row = rows_[slot];
        if (row >= 0 && std::binary_search(rows.begin(), rows.end(), row)) continue;
        if (row >= 0) slots_[static_cast<std::size_t>(row)] = -1;
        row = -1;
        free.push_back(static_cast<int>(slot));
    }

    std::vector<Rows> read;
    const Image& image = reader_.header();
    auto slot = free.begin();
    int last_row = -1;
    int last_slot = -1;
    for (const int row : rows) {
        if (slots_[static_cast<std::size_t>(row)] >= 0) continue;
        const int to = *slot++;
        slots_[static_cast<std::size_t>(row)] = to;
        rows_[static_cast<std::size_t>(to)] = row;
        if (read.empty() || row != last_row + 1 || to != last_slot + 1) {
            std::byte* const samples = memory_.data() + static_cast<std::size_t>(to) * row_bytes_;
            read.push_back({row, {{image.extent.width, 0}, image.channels, image.type, samples}, samples});
        }
        ++read.back().view.extent.height;
        last_row = row;
        last_slot = to;
    }
    for (const Rows& run : read)
        reader_.read(
            run.first, run.view.extent.height, run.samples,
            kept_.data() + static_cast<std::size_t>(slots_[static_cast<std::size_t>(run.first)]) * kept_row_bytes_);
    return read;
}

const std::byte* RowWindow::row(int y) const
{
    return memory_.data() + static_cast<std::size_t>(slots_[static_cast<std::size_t>(y)]) * row_bytes_;
}

const std::byte* RowWindow::kept_row(int y) const
{
    return kept_.data() + static_cast<std::size_t>(slots_[static_cast<std::size_t>(y)]) * kept_row_bytes_;
}

}  // namespace clconv
