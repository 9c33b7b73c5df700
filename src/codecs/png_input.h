// SPDX-License-Identifier: Apache-2.0
// A decoder of PNG files, by libpng alone. It gives the samples, the messages and the attributes of OpenImageIO's
// (2.4), whose libraries take long to load: docs/decisions/057-codecs-without-openimageio.md. Private to src/codecs.
#pragma once

#include "codecs/decoder.h"

#include <filesystem>
#include <memory>

namespace clconv::png {

/// Null if the file is no PNG, if its head is damaged, or if OpenImageIO would say more about it than is read here. Let
/// OpenImageIO open such a file: it has the message.
///
/// Samples are of 8 or 16 bits, with straight alpha. Colours of a palette become RGB, and a transparent colour becomes
/// alpha. The header has the attributes of colour and of texts, the offset (oFFs) as the origin of the data window, and
/// no times, resolutions, or attributes of XMP and Exif.
///
/// Rows are decoded from the top down. To read an earlier row, the file is opened again. An interlaced file is decoded
/// whole, into memory.
[[nodiscard]] std::unique_ptr<oiio::Decoder> open_input(const std::filesystem::path& path);

}  // namespace clconv::png
