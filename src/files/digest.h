// SPDX-License-Identifier: Apache-2.0
// Digests that identify files and texts: 128 bits of XXH3 (xxhash.com), as 32 hexadecimal digits.
//
// Not for protection against an adversary: honest files never collide, but files that are made to collide can.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace clconv {

/// Collects parts, and returns the digest of their sequence.
class Digester {
public:
    Digester();
    ~Digester();
    Digester(const Digester&) = delete;
    Digester& operator=(const Digester&) = delete;

    /// Adds bytes. How they are split over calls makes no difference.
    void add_bytes(const void* bytes, std::size_t count);
    /// Adds a text as a separate part: "ab" and "c" differ from "a" and "bc".
    void add_text(std::string_view text);

    [[nodiscard]] std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The digest of the file's bytes. Throws InputError naming the file if it cannot be read.
[[nodiscard]] std::string digest_of_file(const std::filesystem::path& file);

}  // namespace clconv
