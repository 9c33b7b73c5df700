// Metadata that go from a file to one of the same format as they are, byte for byte: the library loses what it does not
// know, and writes maker notes where their own offsets are no longer true. Private to src/image.
#pragma once

#include "image/file_formats.h"
#include "image/image_file.h"
#include "image/jpeg_segments.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace clconv::oiio {

/// Those of a JPEG's segments that say something of the picture, of `size` if it is another one than the file's: Exif,
/// XMP, IPTC, ICC, comments, what programs left there. Without thumbnails, and without lists of the further pictures
/// that some cameras put behind the first, which are not written.
[[nodiscard]] std::vector<JpegSegment> kept_segments(std::vector<JpegSegment> segments, std::optional<Extent> size);

/// Gives the complete file at `temporary` the metadata of the input of `image`, instead of what the library wrote, if
/// both are JPEG and none are to be dropped. Throws InputError, naming `target`, if it cannot be written.
void keep_metadata(const std::filesystem::path& temporary, const std::filesystem::path& target, const Image& image,
                   const FileFormat& format, const WriteOptions& options);

}  // namespace clconv::oiio
