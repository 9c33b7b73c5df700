// SPDX-License-Identifier: Apache-2.0
#include "image/format_table.h"

#include <algorithm>
#include <array>

namespace clconv {
namespace {

using enum SampleType;

constexpr SampleType kU8[] = {u8};
constexpr SampleType kIntegers[] = {u8, u16};
constexpr SampleType kFloat[] = {float32};
constexpr SampleType kFloats[] = {half, float32};
constexpr SampleType kNoHalf[] = {u8, u16, float32};

// TIFF's codecs for bilevel scans, and its JPEG, which holds only some types, are not listed; those of inputs are kept.
constexpr Codec kExrCodecs[] = {{"none"},  {"rle"}, {"zip", 1, 9}, {"zips", 1, 9},    {"piz"},
                                {"pxr24"}, {"b44"}, {"b44a"},      {"dwaa", 1, 1000}, {"dwab", 1, 1000}};
constexpr Codec kTiffCodecs[] = {{"none"}, {"packbits"}, {"lzw"}, {"zip", 1, 9}};
/// All of them are zlib: zip is its default strategy, and the others are its other strategies.
constexpr Codec kPngCodecs[] = {{"none"},          {"zip", 0, 9},      {"rle", 0, 9},
                                {"huffman", 0, 9}, {"filtered", 0, 9}, {"fixed", 0, 9}};
constexpr FileType kSignedAndWide[] = {FileType::i8, FileType::i16, FileType::i32, FileType::u32, FileType::float64};
constexpr int kPackedBits[] = {10, 12};
constexpr int kTiffBits[] = {10, 12, 14};
constexpr int kPnmBits[] = {5, 6, 7, 9, 10, 11, 12, 13, 14, 15};  // encoders/pnm_output.h
constexpr Codec kRunLength[] = {{"none"}, {"rle"}};
constexpr Codec kWebpCodecs[] = {{"lossless"}};  // formats/webp_chunks.h; the other one is that of --quality

// The quality is the default; that of WebP is the library's own. JPEG 2000 and HEIF are not here, because of faults in
// the library (2.4): its reader refuses small JPEG 2000 images, and its HEIF writer reads beyond its rows.
constexpr FileFormat kFileFormats[] = {
    {.name = "bmp",
     .title = "BMP",
     .types = kU8,
     .channels = "134",
     .alpha = AlphaStorage::straight,
     .is_always_straight = true},
    {.name = "dpx",
     .title = "DPX",
     .types = kNoHalf,
     .channels = "134",
     .alpha = AlphaStorage::associated,
     .odd_bits = kPackedBits,
     .windows = Windows::copied,
     .holds_negative_places = false},
    // codecs/fits_input.h, fits_output.h
    {.name = "fits",
     .title = "FITS",
     .types = kNoHalf,
     .alpha = AlphaStorage::associated,
     .others = kSignedAndWide,
     .holds_parts = true,
     .windows = Windows::always,
     .marks_alpha = false,
     .has_own_codec = true,
     .by_rows = true,
     .seeks = true,
     .is_light = true,
     .is_bottom_up = true},
    {.name = "gif",
     .title = "GIF",
     .types = kU8,
     .channels = "34",
     .alpha = AlphaStorage::associated,
     .holds_parts = true,
     .is_palette = true,
     .decodes_onward = true,
     .encoder_bytes = 14},
    {.name = "hdr",
     .title = "Radiance",
     .types = kFloat,
     .channels = "3",
     .alpha = AlphaStorage::none,
     .is_light = true},
    {.name = "ico",
     .title = "ICO",
     .types = kU8,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .is_always_straight = true},
    {.name = "iff",
     .title = "IFF",
     .types = kIntegers,
     .channels = "34",
     .alpha = AlphaStorage::associated,
     .codecs = kRunLength,
     .windows = Windows::copied},
    {.name = "jpeg",
     .title = "JPEG",
     .types = kU8,
     .channels = "13",
     .alpha = AlphaStorage::none,
     .default_quality = kJpegQuality,
     .is_always_lossy = true,
     .holds_profiles = true,
     .has_own_codec = true,
     .by_rows = true,
     .leaves_gaps = false},
    {.name = "openexr",
     .title = "OpenEXR",
     .types = kFloats,
     .alpha = AlphaStorage::associated,
     .codecs = kExrCodecs,
     .holds_parts = true,
     .holds_types_by_channel = true,
     .names_channels = true,
     .windows = Windows::always,
     .by_rows = true,
     .seeks = true,
     .invents_date = true,
     .has_lossy_codecs = true,
     .is_light = true,
     .has_ids = true},
    {.name = "png",
     .title = "PNG",
     .types = kIntegers,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .codecs = kPngCodecs,
     .holds_profiles = true,
     .windows = Windows::copied,
     .has_own_codec = true,
     .by_rows = true,
     .leaves_gaps = false},
    // codecs/pnm_input.h, pnm_output.h
    {.name = "pnm",
     .title = "PNM",
     .types = kIntegers,
     .channels = "13",
     .alpha = AlphaStorage::none,
     .odd_bits = kPnmBits,
     .has_own_codec = true},
    // Its date is made up whatever the header says, and Encoder erases it.
    // The library's writer stores the bits of halves as integers.
    {.name = "rla",
     .title = "RLA",
     .types = kNoHalf,
     .channels = "1234",
     .alpha = AlphaStorage::associated,
     .windows = Windows::copied,
     .invents_date = true},
    {.name = "sgi", .title = "SGI", .types = kIntegers, .channels = "1234", .alpha = AlphaStorage::associated},
    {.name = "targa",
     .title = "Targa",
     .types = kU8,
     .channels = "1234",
     .alpha = AlphaStorage::straight,
     .codecs = kRunLength},
    {.name = "tiff",
     .title = "TIFF",
     .types = kSampleTypes,
     .alpha = AlphaStorage::either,
     .codecs = kTiffCodecs,
     .others = kSignedAndWide,
     .holds_parts = true,
     .holds_inks = true,
     .odd_bits = kTiffBits,
     .holds_profiles = true,
     .windows = Windows::kept,
     .holds_negative_places = false,
     .by_rows = true,
     .seeks = true,
     .invents_date = true},
    // codecs/webp_input.h, encoders/webp_output.h
    {.name = "webp",
     .title = "WebP",
     .types = kU8,
     .channels = "34",
     .alpha = AlphaStorage::straight,
     .default_quality = 100,
     .codecs = kWebpCodecs,
     .holds_parts = true,
     .holds_profiles = true,
     .encoder_bytes = 26},
};

/// The types to try for a wanted one, best first.
constexpr std::array<SampleType, 4> preferences(SampleType wanted)
{
    switch (wanted) {
        case u8: return {u8, u16, half, float32};
        case u16: return {u16, float32, half, u8};
        case half: return {half, float32, u16, u8};
        case float32:
        case SampleType::float64: break;
    }
    return {float32, half, u16, u8};
}

}  // namespace

const FileFormat& format_named(std::string_view name)
{
    static constexpr FileFormat kOther;
    const auto* const found = std::ranges::find(kFileFormats, name, &FileFormat::name);
    return found == std::end(kFileFormats) ? kOther : *found;
}

bool FileFormat::holds(SampleType type) const { return std::find(types.begin(), types.end(), type) != types.end(); }

bool FileFormat::holds(FileType type) const
{
    const bool is_other = std::ranges::find(others, type) != others.end();
    return is_other || std::ranges::any_of(types, [&](SampleType own) { return file_type_of(own) == type; });
}

bool FileFormat::holds_bits(int bits) const { return std::ranges::find(odd_bits, bits) != odd_bits.end(); }

bool FileFormat::holds_channels(int count) const
{
    return channels.empty() ||
           (count >= 1 && count <= 9 && channels.find(static_cast<char>('0' + count)) != std::string_view::npos);
}

SampleType nearest_type(const FileFormat& format, SampleType wanted)
{
    for (const SampleType type : preferences(wanted))
        if (format.holds(type)) return type;
    return wanted;
}

FileType nearest_type(const FileFormat& format, FileType wanted)
{
    if (std::find(format.others.begin(), format.others.end(), wanted) != format.others.end()) return wanted;
    return file_type_of(nearest_type(format, sample_type_of(wanted)));
}

bool is_coded_by_rows(std::string_view format) { return format_named(format).by_rows; }

std::span<const FileFormat> writable_file_formats() { return kFileFormats; }

}  // namespace clconv
