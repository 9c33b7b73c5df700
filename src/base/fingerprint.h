// SPDX-License-Identifier: Apache-2.0
// A short name for a long text, used for file names of keys, for versions of texts, and to detect damage. It does not
// protect against malice.
#pragma once

#include <cstdint>
#include <string_view>

namespace clconv {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the same on every machine. Two texts have the same one with probability 2^-64,
/// so a file that is named by it also contains the text.
[[nodiscard]] constexpr std::uint64_t fingerprint(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3u;
    }
    return hash;
}

}  // namespace clconv
