// SPDX-License-Identifier: Apache-2.0
// A decoder of JPEG files by libjpeg alone: OpenImageIO's decoder calls the same library, but needs 260 others. Private
// to src/codecs.
//
// Samples, results and messages are those of OpenImageIO 2.4. Attributes are those alone that a JPEG is written from:
// the colour space, the orientation and the profile. docs/decisions/057-codecs-without-openimageio.md
#pragma once

#include "codecs/decoder.h"

#include <filesystem>
#include <memory>

namespace clconv::jpeg {

/// Opens a JPEG of 8 bits and one or three channels. Null for all other files, for those whose head is damaged, and
/// where it takes more than a look at the metadata to know their orientation: OpenImageIO may read these, or says what
/// is wrong. A decoder may have a warning from the start.
[[nodiscard]] std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path);

}  // namespace clconv::jpeg
