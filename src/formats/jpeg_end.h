// SPDX-License-Identifier: Apache-2.0
// What is behind the picture of a JPEG file: further pictures, such as the gain map of Ultra HDR, videos, and others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace clconv::oiio {

/// The first of the bytes behind the end of the picture, at most 4096. Empty if the file ends there, if it is damaged
/// before, or if they only fill it up. `scan`: where the first scan begins.
[[nodiscard]] std::string bytes_behind_jpeg(const std::filesystem::path& path, std::uint64_t scan);

}  // namespace clconv::oiio
