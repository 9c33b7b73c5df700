// What a page of a TIFF says of its picture, as it stands in the file: the library reads and writes only what it knows,
// and loses XMP, IPTC, GPS, maker notes and the tags of microscopes and maps. Private to src/image.
#pragma once

#include "base/image_view.h"
#include "image/embedded_blocks.h"
#include "image/tiff_directories.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

/// One field with its values.
struct TiffTag {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;
    std::uint64_t count = 0;
    std::string bytes = {};               ///< of the values, the lowest first; empty where there is a directory
    std::vector<TiffTag> directory = {};  ///< what the field points to: Exif, GPS, interoperability
};

/// Those of the page at `place`, or of the first page if that is 0, that are no matter of how its samples are stored,
/// and point at nothing else in the file. None where that is no TIFF, or where they take more than 32 MiB.
[[nodiscard]] std::vector<TiffTag> tiff_tags(const std::filesystem::path& path, std::uint64_t place);

/// Whether the same page says how many bits a sample has. The library takes 8 where it does not, and libtiff 1: of
/// tiles the library then gives what its memory holds.
[[nodiscard]] bool says_bits(const std::filesystem::path& path, std::uint64_t place);

/// The XMP among them.
[[nodiscard]] std::string tiff_xmp(const std::vector<TiffTag>& tags);

/// What of a file of another format can be a tag: XMP.
[[nodiscard]] std::vector<TiffTag> tags_of(const EmbeddedBlocks& blocks);

/// The tags of one page of a new file, and what is no longer true of them.
struct PageTags {
    const std::vector<TiffTag>* tags = nullptr;
    MetadataChange change = {};
    Position moved = {};        ///< where the result's first sample lies in the page as it was
    bool has_all_pages = true;  ///< so that what counts them (ImageJ's) stays true
};

/// Gives the pages of the complete TIFF at `path` the tags of theirs: Exif, GPS, XMP, IPTC and Photoshop's in the place
/// of those that are there, others where the page has none of that number. Where offsets of 32 bits do not reach, the
/// rest stays as it is. Throws InputError.
void put_tiff_tags(const std::filesystem::path& path, const std::vector<PageTags>& pages);

}  // namespace clconv::oiio
