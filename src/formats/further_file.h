// SPDX-License-Identifier: Apache-2.0
// Files one behind the other in one, as pipes of several pictures have them (ffmpeg -f image2pipe). Readers take the
// first.
#pragma once

#include <filesystem>
#include <string_view>

namespace clconv::oiio {

/// Whether another file of its format begins behind the end of the one at `path`. `format`: as file_formats.h names
/// it. False of formats that are not in this function's table, and of damaged files.
[[nodiscard]] bool has_further_file(const std::filesystem::path& path, std::string_view format);

}  // namespace clconv::oiio
