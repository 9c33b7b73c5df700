// SPDX-License-Identifier: Apache-2.0
// A decoder of PBM, PGM and PPM files. OpenImageIO's own (2.4) is one code off above 32768, wrong for most maxvals, and
// does not read bitmaps of digits without spaces. Private to src/codecs.
//
// Codes of any maxval become the nearest codes of 8 bits, or of 16 if maxval is above 255. Bitmaps become 0 and 255.
// Portable float maps are left to OpenImageIO.
#pragma once

#include "base/warning.h"
#include "codecs/decoding.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace clconv::pnm {

/// Throws InputError if the head of the file is damaged, or claims no pixels.
[[nodiscard]] std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path);

/// Warnings about what is not read. None for other images.
[[nodiscard]] std::vector<Warning> warnings_of(const std::filesystem::path& path, const oiio::FileHeader& header);

}  // namespace clconv::pnm
