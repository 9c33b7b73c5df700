// SPDX-License-Identifier: Apache-2.0
// Replaces bytes in the middle of a file by more or fewer others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace clconv::oiio {

/// Replaces `count` bytes from `offset` on by `bytes`, and moves everything behind them. Holds a MiB of the file at a
/// time. Throws InputError with the system's reason; then the file is useless.
void replace_bytes(const std::filesystem::path& file, std::size_t offset, std::size_t count, const std::string& bytes);

}  // namespace clconv::oiio
