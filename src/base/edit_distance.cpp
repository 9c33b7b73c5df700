// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace clconv {

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string nearest_word(std::string_view typed, std::span<const std::string> words)
{
    constexpr std::size_t longest = 64;  // a longer word is not a typing error, and its distance takes time
    if (typed.size() > longest) return {};
    std::string best;
    std::size_t minimum = (typed.size() < 6 ? 1 : 3) + 1;
    for (const std::string& word : words)
        if (const std::size_t distance = edit_distance(typed, word); distance < minimum) {
            minimum = distance;
            best = word;
        }
    return best;
}

}  // namespace clconv
