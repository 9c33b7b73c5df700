// SPDX-License-Identifier: Apache-2.0
// A decoder of WebP files with alpha, and of WebP animations. OpenImageIO's own (2.4) multiplies colours by alpha in 8
// bits, which loses them where alpha is small, and draws every frame over those before. Private to src/codecs.
//
// Colours are not multiplied by alpha. Frames are what a viewer shows: drawn, blended and cleared as the file says.
#pragma once

#include "codecs/decoding.h"

#include <filesystem>
#include <memory>

namespace clconv::webp {

/// Whether the file is a WebP that open_input() takes.
[[nodiscard]] bool is_ours(const std::filesystem::path& path);

/// Throws InputError if the file is damaged.
[[nodiscard]] std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path);

}  // namespace clconv::webp
