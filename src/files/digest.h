// Digests of files and texts, to know them again: 128 bits of XXH3 (xxhash.com), as 32 hexadecimal digits.
//
// Not against an adversary: a collision of honest files is out of the question, a made one is not.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace clconv {

/// Takes parts, gives the digest of their sequence.
class Digester {
public:
    Digester();
    ~Digester();
    Digester(const Digester&) = delete;
    Digester& operator=(const Digester&) = delete;

    /// Bytes; where one call's end and the next one's begin makes no difference.
    void add_bytes(const void* bytes, std::size_t count);
    /// A text as a part of its own: "ab" and "c" differ from "a" and "bc".
    void add_text(std::string_view text);

    [[nodiscard]] std::string hex() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The digest of the file's bytes. Throws InputError naming the file if it cannot be read.
[[nodiscard]] std::string digest_of_file(const std::filesystem::path& file);

}  // namespace clconv
