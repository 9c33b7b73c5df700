// SPDX-License-Identifier: Apache-2.0
// What a file will not hold as its input did: its type, its copied channels, and warnings of the rest.
#pragma once

#include "base/file_type.h"
#include "base/warning.h"
#include "image/image.h"
#include "image/write_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// The default type of a file at `path`: the image's stored_type. For an image with a split, in a format with one type
/// for all channels, it is the type that holds all written channels. Throws likewise.
[[nodiscard]] FileType type_for(const Image& image, const std::filesystem::path& path);

/// The names of the copied channels: kept ones, and alpha that colours need.
[[nodiscard]] std::vector<std::string> copied_channels(const Image& image);

/// Sentences about what the file at `path` will not hold as the image's input did: copied channels, primaries.
[[nodiscard]] std::vector<Warning> notes_on_kept(const Image& image, const std::filesystem::path& path,
                                                 const WriteOptions& options);

}  // namespace clconv
