// SPDX-License-Identifier: Apache-2.0
// The claims of a file's head, read without any library, because some libraries allocate the claimed memory as soon as
// they open a file.
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
    std::uint64_t decoder_bytes = 0;  ///< that its library holds at once, besides the decoded samples
    /// The maximum of sample bytes for one byte of a file of this format; none: no limit.
    std::optional<std::uint64_t> max_ratio = {};
    std::uint64_t packed_bytes = 0;  ///< minimum bytes of the pixels, before the ratio
    std::uint64_t plain_bytes = 0;   ///< minimum bytes of everything else

    [[nodiscard]] std::uint64_t pixels() const { return width * height; }
};

/// None for formats whose libraries allocate nothing before clconv knows their headers, and for damaged heads, which
/// the library will report.
[[nodiscard]] std::optional<FileClaims> claims_of(const std::filesystem::path& path);

[[nodiscard]] bool is_exr(const std::filesystem::path& path);

}  // namespace clconv::oiio
