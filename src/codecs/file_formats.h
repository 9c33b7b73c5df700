// SPDX-License-Identifier: Apache-2.0
// The file formats of files, by their extensions as the library knows them.
#pragma once

#include "image/format_table.h"

#include <filesystem>

namespace clconv {

/// The format that `path`'s extension chooses for writing. Throws InputError if there is none.
[[nodiscard]] const FileFormat& file_format_of(const std::filesystem::path& path);

/// Whether `path` has the extension of a video, a volume or something else that the library reads and clconv does not.
[[nodiscard]] bool has_ignored_extension(const std::filesystem::path& path);

}  // namespace clconv
