// SPDX-License-Identifier: Apache-2.0
// Items whose outputs are the same, byte for byte, because their inputs are names of one file: held frames that are
// links. One of them is computed; its output is copied for the others.
#pragma once

#include "files/item.h"
#include "report/events.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <vector>

namespace clconv {

class SameFiles {
public:
    /// Takes from `items` those whose output is a copy of that of an earlier one: the same file, part and PSF, and the
    /// same extensions of input and output, because these choose formats. Files that do not exist are all different.
    [[nodiscard]] static SameFiles taken_from(std::vector<Item>& items);

    /// The items whose outputs are copies of that of `item`, in their order.
    [[nodiscard]] const std::vector<Item>& of(const Item& item) const;
    /// The number of all items whose outputs are copies.
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    std::map<std::size_t, std::vector<Item>> others_;  ///< by the index of the item that is computed
    std::size_t count_ = 0;
};

/// The result of `made` as the result of `same`: messages name the files of `same`, and no time was spent.
[[nodiscard]] ItemResult result_in_words_of(const Item& same, const ItemResult& result, const Item& made);

/// Makes `to` a copy of `from`, whole or not at all. Throws InputError, and OutputExists as TemporaryFile::commit()
/// does.
void copy_output(const std::filesystem::path& from, const std::filesystem::path& to,
                 Existing existing = Existing::overwrite);

}  // namespace clconv
