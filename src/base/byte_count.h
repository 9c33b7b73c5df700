// SPDX-License-Identifier: Apache-2.0
// Amounts of memory as people type them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace clconv {

/// No limit: more bytes than any machine has.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// Reads "1500000", "512M", "1.5G", "2GiB", in any case: K, M, G and T are powers of 1024. Throws InvalidProblem with
/// the option, the value found and the value wanted.
[[nodiscard]] std::uint64_t parse_byte_count(const std::string& option, const std::string& text);

/// For messages, in the same units: "1.5G", "512M", "900".
[[nodiscard]] std::string in_words(std::uint64_t bytes);

}  // namespace clconv
