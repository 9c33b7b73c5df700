// SPDX-License-Identifier: Apache-2.0
// Metadata that are copied byte for byte to a file of the same format. The library loses metadata that it does not
// know, and moves maker notes so that their offsets become wrong. Private to src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "encoders/written_image.h"
#include "formats/embedded_blocks.h"
#include "formats/jpeg_segments.h"
#include "image/write_options.h"

#include <filesystem>
#include <vector>

namespace clconv::oiio {

/// Returns the segments of a JPEG that are metadata: Exif, XMP, IPTC, ICC, comments, and data of programs. Thumbnails
/// are left out, and so are lists of the further pictures that some cameras append, because those are not written.
[[nodiscard]] std::vector<JpegSegment> kept_segments(std::vector<JpegSegment> segments, const MetadataChange& change);

/// The tags that a page keeps if its input was a TIFF. `has_all_pages`: whether all pages of the input are written. The
/// result points into `written`.
[[nodiscard]] PageTags page_tags(const WrittenImage& written, bool has_all_pages);

/// Replaces the metadata that the library wrote into the complete file at `temporary` by those of the image's input:
/// all of them if both are JPEG, PNG, WebP or TIFF; Exif and XMP from one of these to another, and IPTC from TIFF to
/// JPEG. Does nothing if none are to be kept. Throws InputError, naming `target`, if they cannot be written.
void keep_metadata(const std::filesystem::path& temporary, const std::filesystem::path& target,
                   const WrittenImage& written, const FileFormat& format, const WriteOptions& options);

}  // namespace clconv::oiio
