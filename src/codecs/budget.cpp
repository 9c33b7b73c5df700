// SPDX-License-Identifier: Apache-2.0
#include "codecs/budget.h"

#include "base/byte_count.h"
#include "base/ceil_div.h"
#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv::oiio {
namespace {

namespace fs = std::filesystem;

/// The size that a file claims: "65500x65500 pixels of 3 channels".
std::string size_in_words(std::uint64_t width, std::uint64_t height, std::uint64_t channels)
{
    return fmt::format("{}x{} pixels of {} channel{}", width, height, channels, channels == 1 ? "" : "s");
}

void check_pixels(const fs::path& path, std::uint64_t pixels, const std::string& claimed, const DecodeRules& rules)
{
    if (pixels > rules.max_pixels)
        throw InputError(fmt::format("{}: claims {}, and an image may have {} (--max-pixels)", path.string(), claimed,
                                     rules.max_pixels));
}

void check_memory(const fs::path& path, std::uint64_t bytes, const std::string& claimed, const std::string& what,
                  const DecodeRules& rules)
{
    if (bytes > rules.max_memory)
        throw InputError(
            fmt::format("{}: claims {}; {} take{} {} to decode, and the limit is {}: raise "
                        "--memory-limit, or store it in a format that is read by rows",
                        path.string(), claimed, what, what.starts_with("a") ? "s" : "", in_words(bytes),
                        in_words(rules.max_memory)));
}

void check_length(const fs::path& path, std::uint64_t minimum, const std::string& claimed, const DecodeRules& rules)
{
    std::error_code failure;
    const std::uintmax_t bytes = fs::file_size(path, failure);
    if (failure || rules.keeps_damaged || bytes >= minimum) return;
    throw InputError(
        fmt::format("{}: is damaged or ends too early: it claims {}, for which a file needs at least {} "
                    "bytes, and has {}; --damaged keep uses what can be decoded",
                    path.string(), claimed, minimum, bytes));
}

/// Bytes of the samples of an uncompressed TIFF of plain gray or RGB; 0 for others.
std::uint64_t plain_tiff_bytes(const FileHeader& header)
{
    constexpr int uncompressed = 1;
    constexpr int rgb = 2;  // white is 0, black is 0, RGB
    const int bits = header.get_int_attribute("oiio:BitsPerSample", 0);
    if (header.get_int_attribute("tiff:Compression", 0) != uncompressed) return 0;
    if (header.get_int_attribute("tiff:PhotometricInterpretation", rgb + 1) > rgb || bits < 1) return 0;
    return header.image_pixels() / 8 * static_cast<std::uint64_t>(header.nchannels) * static_cast<std::uint64_t>(bits);
}

/// Bytes of the samples of an OpenEXR file of rows that are not compressed; 0 for others.
std::uint64_t plain_exr_bytes(const FileHeader& header)
{
    const bool is_plain = header.get_string_attribute("compression") == "none" && header.tile_width == 0;
    return is_plain ? header.image_bytes(true) : 0;
}

/// The bytes that a decoder takes at once: a strip, or a row of tiles.
std::uint64_t block_bytes(const FileHeader& header)
{
    if (header.tile_width > 0) {
        const auto across = static_cast<std::uint64_t>(ceil_div<std::int64_t>(header.width, header.tile_width));
        return across * header.tile_bytes(true);
    }
    const int rows = std::clamp(header.get_int_attribute("tiff:RowsPerStrip", 1), 1, std::max(header.height, 1));
    return static_cast<std::uint64_t>(rows) * header.scanline_bytes(true);
}

}  // namespace

void check_claims(const fs::path& path, const DecodeRules& rules)
{
    const std::optional<FileClaims> claims = claims_of(path);
    if (!claims) return;
    const std::string claimed = size_in_words(claims->width, claims->height, claims->channels);
    check_pixels(path, claims->pixels(), claimed, rules);
    if (claims->max_ratio)
        check_length(path, claims->packed_bytes / *claims->max_ratio + claims->plain_bytes, claimed, rules);
    check_memory(path, claims->decoder_bytes, claimed, claims->format, rules);
}

void check_header(const fs::path& path, const FileHeader& header, const std::string& format, const DecodeRules& rules)
{
    const std::string claimed =
        size_in_words(static_cast<std::uint64_t>(header.width), static_cast<std::uint64_t>(header.height),
                      static_cast<std::uint64_t>(header.nchannels));
    check_pixels(path, header.image_pixels(), claimed, rules);
    if (format == "tiff") check_length(path, plain_tiff_bytes(header), claimed, rules);
    if (format == "openexr") check_length(path, plain_exr_bytes(header), claimed, rules);
    check_memory(path, block_bytes(header), claimed, header.tile_width > 0 ? "a row of its tiles" : "a strip of it",
                 rules);
}

void check_samples(const fs::path& path, const Image& header, const DecodeRules& rules)
{
    const std::string claimed =
        size_in_words(static_cast<std::uint64_t>(header.extent.width), static_cast<std::uint64_t>(header.extent.height),
                      static_cast<std::uint64_t>(header.file_channels()));
    const std::optional<FileClaims> claims = claims_of(path);
    check_memory(path, header.bytes() + (claims ? claims->decoder_bytes : 0), claimed, "its samples", rules);
}

}  // namespace clconv::oiio
