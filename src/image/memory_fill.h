// What the memory holds that the process gets, for decoders that hand out some that they have not written. Private to
// src/image.
#pragma once

#include <cstdint>
#include <filesystem>

namespace clconv::oiio {

/// While it lives, memory from the C library's heap is filled with one byte, so that what a decoder leaves out is not
/// what the process had there, and two decodings with different bytes tell that it is left out. Those of one byte may
/// live at the same time; those of the other wait until they are gone. Without effect where the C library cannot do it,
/// and for blocks of less than 1 KiB.
class MemoryFill {
public:
    enum class Byte : std::uint8_t { one, other };

    explicit MemoryFill(Byte byte);
    ~MemoryFill();
    MemoryFill(const MemoryFill&) = delete;
    MemoryFill& operator=(const MemoryFill&) = delete;
};

/// Whether a file is HEIF (HEIC, AVIF), or of another format that begins so. Pictures of damaged ones have holes, which
/// their libraries do not tell.
[[nodiscard]] bool is_heif(const std::filesystem::path& path);

}  // namespace clconv::oiio
