// SPDX-License-Identifier: Apache-2.0
// Writes a small text file whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace clconv {

/// Writes `text` under a temporary name in the same folder and renames it to `path` when it is complete.
/// Missing folders are made. Throws InputError naming the file and the reason; then nothing is left behind and an
/// older file is untouched. A `path` of - is standard output, and ./- a file of that name.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace clconv
