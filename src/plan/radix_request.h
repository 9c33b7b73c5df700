// SPDX-License-Identifier: Apache-2.0
// The radices that a user requests, and the reading of their text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace clconv {

/// The request of `--radix` along one axis: nothing, a largest radix, or the whole sequence.
struct RadixRequest {
    std::optional<int> largest;
    std::vector<int> sequence;
};
/// Reads "auto", "32" or "16,16,4", the value of `option`. Throws InvalidProblem with the option, the unsupported radix
/// and the supported ones.
[[nodiscard]] RadixRequest parse_radix(std::string_view text, std::string_view option = "--radix");
/// One radix of the text `whole`. Throws the same.
[[nodiscard]] int parse_one_radix(std::string_view text, std::string_view whole, std::string_view option);

}  // namespace clconv
