// SPDX-License-Identifier: Apache-2.0
// Copies the metadata of a TIFF's pages, field by field as it stands in the file. OpenImageIO alone would lose XMP,
// IPTC, GPS, maker notes and the tags of microscopes and maps, because it copies only what it knows.
#pragma once

#include "base/image_view.h"
#include "formats/embedded_blocks.h"
#include "formats/tiff_directories.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// One field with its values.
struct TiffTag {
    std::uint16_t tag = 0;
    std::uint16_t type = 0;
    std::uint64_t count = 0;
    std::string bytes = {};               ///< the values, in little-endian order; empty if there is a directory
    std::vector<TiffTag> directory = {};  ///< the directory that the field points to: Exif, GPS, interoperability
};

/// The metadata of the page whose directory lies at byte `place`, or of the first page if `place` is 0. Tags that say
/// how samples are stored are left out, and so are tags that may point to other places in the file. Empty if the file
/// is not a TIFF, or if the tags take more than 32 MiB.
[[nodiscard]] std::vector<TiffTag> tiff_tags(const std::filesystem::path& path, std::uint64_t place);

/// The XMP packet among these tags, or nothing.
[[nodiscard]] std::string tiff_xmp(const std::vector<TiffTag>& tags);

/// The IPTC among these tags: that of its own tag, else that of Photoshop's resources; or nothing.
[[nodiscard]] std::string tiff_iptc(const std::vector<TiffTag>& tags);

/// The tags for metadata from a file of another format: its Exif, GPS, XMP, IPTC and Photoshop's resources.
[[nodiscard]] std::vector<TiffTag> tags_of(const EmbeddedBlocks& blocks);

/// The inverse: an Exif block of a page's tags, its description and its orientation. Empty if they say nothing.
[[nodiscard]] std::string exif_of(const std::vector<TiffTag>& tags, const std::string& description, int orientation);

/// A directory for the place `begin` behind the end of a file.
struct NewDirectory {
    std::uint64_t place = 0;  ///< of it in the file; values that it points to lie in front of it
    std::string bytes = {};   ///< from `begin` on
};
/// The directory of a page in which some tags are added or replaced.
[[nodiscard]] NewDirectory directory_with(const TiffFile& file, const TiffDirectory& page,
                                          const std::vector<TiffTag>& tags, std::uint64_t begin);

/// What the samples of a page mean, where the library's writer says it otherwise, or not at all.
struct SampleMeaning {
    std::optional<std::uint16_t> photometric = {};  ///< PhotometricInterpretation
    std::vector<std::uint16_t> extra_samples = {};  ///< ExtraSamples; empty: as the writer says

    [[nodiscard]] bool is_empty() const { return !photometric && extra_samples.empty(); }
};

/// The tags for one page of a new file, and what has changed since they were true.
struct PageTags {
    const std::vector<TiffTag>* tags = nullptr;
    MetadataChange change = {};
    Position moved = {};        ///< position of the result's first sample in the input page
    bool has_all_pages = true;  ///< whether all pages are written; otherwise ImageJ's counts of pages are left out
    SampleMeaning meaning = {};
};

/// Adds tags to the pages of the complete TIFF at `path`. Exif, GPS, XMP, IPTC and Photoshop's tags replace those that
/// the page has. Other tags are added if the page does not have them. Pages that offsets of 32 bits cannot reach stay
/// as they are, except for what their samples mean. Throws InputError.
void put_tiff_tags(const std::filesystem::path& path, const std::vector<PageTags>& pages);

}  // namespace clconv::oiio
