// SPDX-License-Identifier: Apache-2.0
// The compression of a file as the user writes it: NAME or NAME:LEVEL.
#pragma once

#include "image/write_options.h"

#include <filesystem>
#include <string_view>

namespace clconv {

/// "zip", "zip:6". Throws InvalidProblem for a level that is not a number.
[[nodiscard]] Compression parse_compression(std::string_view text);

/// Throws InvalidProblem, with the possible choices, if a file of this name cannot have this compression. Throws
/// InputError as writable_type() does.
void check_compression(const std::filesystem::path& path, const Compression& compression);

}  // namespace clconv
