// SPDX-License-Identifier: Apache-2.0
// What src/codecs and src/encoders share about decoded files. Private to these two.
#pragma once

#include "base/sample_type.h"
#include "codecs/decoder.h"
#include "codecs/file_header.h"
#include "codecs/image_file.h"
#include "codecs/primaries.h"
#include "formats/embedded_blocks.h"
#include "formats/hdr_head.h"
#include "formats/heif_colour.h"
#include "formats/jpeg_encoding.h"
#include "formats/png_chunks.h"
#include "formats/tiff_storage.h"
#include "formats/tiff_tags.h"
#include "image/image.h"
#include "image/samples.h"

#include <OpenImageIO/filesystem.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clconv {

/// The header of a file as its decoder states it: windows, channel names, attributes.
class Metadata {
public:
    Metadata(oiio::FileHeader header, std::string file_format) : spec(std::move(header)), format(std::move(file_format))
    {
    }
    oiio::FileHeader spec;
    std::string format;                       ///< the library's name of the file format: "png", "openexr"
    bool is_abridged = false;                 ///< `spec` lacks attributes: Decoder::is_abridged(), full_header.h
    std::filesystem::path file;               ///< of which it is
    std::optional<oiio::JpegEncoding> jpeg;   ///< of JPEG files whose tables could be read
    std::vector<oiio::JpegSegment> segments;  ///< of JPEG files, all before the first scan
    std::vector<oiio::PngChunk> chunks;       ///< of PNG files
    std::vector<oiio::TiffTag> tags;          ///< of a TIFF's page
    std::optional<oiio::TiffStorage> tiff;    ///< of a TIFF's page
    std::optional<oiio::HdrHead> hdr;         ///< of a Radiance picture
    std::optional<oiio::CodePoints> points;   ///< of a HEIF picture
    oiio::EmbeddedBlocks blocks;              ///< of JPEG, PNG, WebP and HEIF; of TIFF the XMP
    bool is_copied = false;                   ///< the whole image is requested as it is, and its channels are copied
    int palette_bits = 0;                     ///< of a pixel; 0: it has no palette
    bool has_clear_pixels = false;            ///< of GIF files, whose alpha the library always makes
    AlphaUse alpha_use = AlphaUse::alpha;
    std::vector<std::string> unread;          ///< of OpenEXR: exr_attributes.h
    std::optional<Chromaticities> primaries;  ///< of an image that is to be light, if the file says other than Rec. 709
    /// Of an image that is to stay codes, and states primaries other than Rec. 709's without a profile.
    std::shared_ptr<const Transfer> codes;

    /// Whether a file of the same format gets these metadata byte for byte, so that its writer needs no attributes.
    [[nodiscard]] bool keeps_bytes() const { return is_abridged && (format != "jpeg" || jpeg); }
};

namespace oiio {

[[nodiscard]] OIIO::TypeDesc type_desc(SampleType type);
[[nodiscard]] OIIO::TypeDesc type_desc(FileType type);
/// The inverse; float for types that no file has.
[[nodiscard]] FileType file_type_of(const OIIO::TypeDesc& type);

/// The library's reason for a failure, on one line; `fallback` if it gave none.
[[nodiscard]] std::string reason(std::string message, const char* fallback);

/// Whether the file has inks: cyan, magenta, yellow and black, where more is darker.
[[nodiscard]] bool is_cmyk(const oiio::FileHeader& header);

/// The image's channel that is depth; -1: none.
[[nodiscard]] int depth_channel(const Image& image);

/// Which channels alpha multiplies: all except itself and depth. `image` has metadata and alpha.
[[nodiscard]] AlphaLayout alpha_layout(const Image& image);

/// A file that can be decoded, and everything that is known before its samples.
struct OpenFile {
    std::unique_ptr<OIIO::Filesystem::IOProxy> view;  ///< what `input` reads from, where that is not the plain file
    std::unique_ptr<oiio::Decoder> input;
    Image header;  ///< without samples
};
struct PartPlace;

/// Opens the part that `rules` name, which lies at `place` if that is given. Throws InputError as read_image() does.
[[nodiscard]] OpenFile open_file(const std::filesystem::path& path, Light light = Light::stored,
                                 const DecodeRules& rules = {}, const PartPlace* place = nullptr);

/// The header of an image to which `input` has gone, of a TIFF's page whose directory lies at `page` (0: the first).
/// Throws as open_file() does.
[[nodiscard]] Image header_of(const std::filesystem::path& path, const oiio::Decoder& input, Light light,
                              const DecodeRules& rules, std::uint64_t page = 0);

/// Notes how many images the file holds, whether this one has mipmap levels, and what is wrong with them. Leaves
/// `input` at another one.
void note_parts(const std::filesystem::path& path, Image& header, oiio::Decoder& input);

/// For a part that will be alone in its file: corrects texts about the number of images, or removes them.
void keep_true_description(Image& header);

/// Decodes the samples of `header`, to whose image `input` has gone, and prepares them. Throws as read_image() does.
void read_part_samples(const std::filesystem::path& path, oiio::Decoder& input, Image& header,
                       const AllocateSamples& allocate, const DecodeRules& rules);

/// The decoder's reason if samples were not read, or not all of them; else empty. `complete`: what the library
/// returned.
[[nodiscard]] std::string damage_of(const oiio::Decoder& input, bool complete);

/// An image whose samples are decoded.
struct Decoding {
    const std::filesystem::path& path;
    oiio::Decoder& input;  ///< which has gone to the image
    const Image& header;
    const DecodeRules& rules;
};

/// Fills samples of the header, or with a split whole pixels of its file, by `decode`, which returns what the library
/// does. Throws InputError if they are damaged; under rules that keep them, returns why.
[[nodiscard]] std::string fill_samples(const Decoding& from, std::span<std::byte> samples,
                                       const std::function<bool()>& decode);

/// The type to request from a decoder to get samples of `type`. The file's own type is requested without a name: by its
/// name, OpenImageIO 2.4 would decode into fresh memory of up to 64 MB and copy from there.
/// docs/decisions/022-decoding-in-place.md
[[nodiscard]] OIIO::TypeDesc type_to_request(const oiio::FileHeader& header, const OIIO::TypeDesc& type);

/// Samples of a file's type in another. Integers of 32 bits keep their values where they become floats; the rest is the
/// library's conversion, which would divide them by the largest.
void convert_stored(const OIIO::TypeDesc& from, const std::byte* samples, const OIIO::TypeDesc& to, std::byte* result,
                    std::size_t count);

/// Whether samples of this type stand for their own values, and not for fractions of the largest one.
[[nodiscard]] bool keeps_values(const OIIO::TypeDesc& type);

/// Decodes rows of a file with tiles. The first row begins a tile, and the last ends one or the image. Returns what the
/// library does.
[[nodiscard]] bool read_tile_rows(oiio::Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples);

/// Decodes rows of a file without tiles to `samples`, without gaps. False: not all of them could be decoded, and
/// damage_of() has the reason; rows behind the first damaged one are only tried if `goes_on`.
[[nodiscard]] bool read_rows(oiio::Decoder& input, RowRange rows, const OIIO::TypeDesc& type, std::byte* samples,
                             bool goes_on = false);

/// The rows to read at once for row y, when those before `last` are wanted: a row of tiles, whole strips, about a MiB.
/// They may begin before y and end behind `last`.
[[nodiscard]] RowRange stored_block(const oiio::FileHeader& header, int y, int last);
/// Reads the rows of such a block as they are stored, each channel in its own type, without gaps. Returns what the
/// library does. If `goes_on`, as in read_rows(), what can be decoded is.
[[nodiscard]] bool read_stored(oiio::Decoder& input, RowRange rows, std::byte* stored, bool goes_on);

/// Decodes the part that `rules` name whole, like read_image(), but leaves straight alpha as it is: `straight_alpha`
/// then says that `samples` are not multiplied by it.
[[nodiscard]] Image decode(const std::filesystem::path& path, std::uint64_t max_bytes = kNoLimit,
                           const AllocateSamples& allocate = allocate_samples, Light light = Light::stored,
                           const DecodeRules& rules = {});

/// Prepares the file's samples for the header's alpha and light. Does nothing if nothing is needed.
void prepare_samples(const Image& header, std::span<float> samples);
/// The same for the colours in `layout` only.
void prepare_samples(const Image& header, const AlphaLayout& layout, std::span<float> samples);

}  // namespace oiio
}  // namespace clconv
