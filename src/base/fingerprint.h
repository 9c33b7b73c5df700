// A short name for a long text: file names of keys, versions of texts. Not for secrets.
#pragma once

#include <cstdint>
#include <string_view>

namespace clconv {

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the same on every machine. Two texts share one with probability 2^-64, so who
/// names a file by it also keeps the text inside.
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
