// What a file's head claims, read without any library: some of them take memory for it as soon as they open a file.
// Private to src/image.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace clconv::oiio {

struct FileClaims {
    std::string format;  ///< for messages: "a progressive JPEG"
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t channels = 0;
    std::uint64_t decoder_bytes = 0;  ///< that its library holds at once, beside the samples that it gives
    /// Sample bytes that one byte of a file of this format can stand for; none: any number.
    std::optional<std::uint64_t> most_ratio = {};
    std::uint64_t packed_bytes = 0;  ///< that the pixels take at least, before the ratio

    [[nodiscard]] std::uint64_t pixels() const { return width * height; }
};

/// None for formats whose libraries take no memory before clconv knows their headers, and for heads that are damaged:
/// their library will say so.
[[nodiscard]] std::optional<FileClaims> claims_of(const std::filesystem::path& path);

[[nodiscard]] bool is_exr(const std::filesystem::path& path);

/// Of an OpenEXR file, as its head says it: whether its blocks are stored plainly or by RLE or zip. Such blocks may be
/// shorter than they should be.
[[nodiscard]] bool is_plain_exr(const std::filesystem::path& path);

}  // namespace clconv::oiio
