// SPDX-License-Identifier: Apache-2.0
// Fills fresh memory with a known byte, because some decoders return memory that they have never written. Private to
// src/codecs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace clconv::oiio {

/// While this object lives, the C library fills every new block of the heap with one byte. Samples that a decoder
/// leaves out then hold that byte and nothing of the process. Two decodings with different bytes show which samples
/// they are.
///
/// Objects with the same byte may live at the same time. An object with the other byte waits until they are gone.
/// Blocks of less than 1 KiB are not filled. There is no effect with C libraries that cannot fill memory.
class MemoryFill {
public:
    enum class Byte : std::uint8_t { one, other };

    explicit MemoryFill(Byte byte);
    ~MemoryFill();
    MemoryFill(const MemoryFill&) = delete;
    MemoryFill& operator=(const MemoryFill&) = delete;
};

/// Whether a file begins as HEIF files (HEIC, AVIF) do. The library leaves holes in damaged pictures and reports no
/// error.
[[nodiscard]] bool is_heif(const std::filesystem::path& path);

}  // namespace clconv::oiio
