// SPDX-License-Identifier: Apache-2.0
#include "base/edit_distance.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace clconv {

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    // distance[j]: from the first i characters of a to the first j of b.
    std::vector<std::size_t> distance(b.size() + 1), above(b.size() + 1), two_above(b.size() + 1);
    std::iota(distance.begin(), distance.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(two_above, above);
        std::swap(above, distance);
        distance[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            distance[j] = std::min({replaced, above[j] + 1, distance[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                distance[j] = std::min(distance[j], two_above[j - 2] + 1);
        }
    }
    return distance.back();
}

std::string nearest_word(std::string_view typed, std::span<const std::string> words)
{
    constexpr std::size_t longest = 64;  // a longer word is not a typing error, and its distance takes time
    constexpr std::size_t shortest_beginning = 3;
    if (typed.size() > longest) return {};
    const auto begins = [&](const std::string& word) { return word.starts_with(typed); };
    if (typed.size() >= shortest_beginning && std::ranges::count_if(words, begins) == 1)
        return *std::ranges::find_if(words, begins);
    std::string best;
    std::size_t minimum = (typed.size() < 6 ? 1 : 3) + 1;
    for (const std::string& word : words)
        if (const std::size_t distance = edit_distance(typed, word); distance < minimum) {
            minimum = distance;
            best = word;
        }
    return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> words)
{
    const std::string nearest = nearest_word(typed, words);
    return nearest.empty() ? "" : " (did you mean " + nearest + "?)";
}

}  // namespace clconv
