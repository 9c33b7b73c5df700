// SPDX-License-Identifier: Apache-2.0
// The file formats: what each can hold when it is written (sample types, channel counts, alpha), and the peculiarities
// of the format and of the library's reader and writer.
//
// This is a table with one row for each format, because the library tells what a format made of a request only after a
// file is open, and because some of its writers abort on types that they cannot hold. tests/codecs compares every row
// with the library.
#pragma once

#include "base/file_type.h"

#include <span>
#include <string_view>

namespace clconv {

/// How a format stores the colours of pixels that are not opaque.
enum class AlphaStorage {
    none,        ///< there is no alpha
    associated,  ///< colours multiplied by alpha
    straight,    ///< colours not multiplied by alpha
    either,      ///< the file says which
};

/// From this quality on, a second JPEG compression is hard to see. For inputs in other formats than JPEG.
inline constexpr int kJpegQuality = 95;

/// A compression that the user may choose, and its levels; none if both limits are equal.
struct Codec {
    std::string_view name;  ///< the library's: "zip"
    int min_level = 0;
    int max_level = 0;

    [[nodiscard]] bool has_levels() const { return min_level < max_level; }
};

/// Whether a format stores the position of a picture on a larger canvas.
enum class Windows {
    none,
    copied,  ///< the input's, if the picture keeps its size
    kept,    ///< if the input has one
    always,
};

struct FileFormat {
    std::string_view name = {};   ///< the library's: "png", "openexr"; empty: one that has no row
    std::string_view title = {};  ///< people's: "PNG", "OpenEXR"

    // What it can hold when it is written.
    std::span<const SampleType> types = {};  ///< empty: it cannot be written
    std::string_view channels = {};          ///< the counts it can hold, one digit each; empty: any
    AlphaStorage alpha = AlphaStorage::none;
    int default_quality = 0;                ///< 0: the format has no quality
    std::span<const Codec> codecs = {};     ///< empty: there is no choice
    std::span<const FileType> others = {};  ///< types that it holds in addition to `types`
    bool holds_parts = false;               ///< whether clconv writes several images into one file
    bool holds_types_by_channel = false;    ///< channels may have different types
    bool holds_inks = false;                ///< CMYK
    bool is_always_lossy = false;           ///< it has no codec without a loss
    bool is_palette = false;                ///< colours are those of a palette
    bool names_channels = false;            ///< channels have names
    std::span<const int> odd_bits = {};     ///< bits a sample, other than 8, 16 and 32, that stay if the format stays
    bool holds_profiles = false;            ///< ICC: the library's writer stores them; of WebP kept_metadata.h
    Windows windows = Windows::none;
    bool holds_negative_places = true;  ///< such positions may be left of a canvas, or above it
    bool marks_alpha = true;            ///< readers know which channel it is

    // How it is read and written.
    bool has_own_codec = false;     ///< clconv reads and writes it without OpenImageIO, if the format stays
    bool by_rows = false;           ///< is_coded_by_rows()
    bool seeks = false;             ///< rows can be read in any order without decoding those before
    bool decodes_onward = false;    ///< going to a part decodes those before it
    bool leaves_gaps = true;        ///< the decoder may leave samples unwritten and report success
    bool invents_date = false;      ///< the library's writer adds the time of writing
    bool has_lossy_codecs = false;  ///< codecs that change copied channels (merged_rows.h)
    int encoder_bytes = 0;          ///< of memory that the library takes for a pixel to encode it, besides samples

    // What its samples mean.
    bool is_light = false;            ///< samples are always linear
    bool is_always_straight = false;  ///< alpha is always straight, and the library's reader does not say so
    bool is_bottom_up = false;        ///< the first row is the lowest
    bool has_ids = false;             ///< channels of 32-bit integers are ids

    [[nodiscard]] bool holds(SampleType type) const;
    [[nodiscard]] bool holds(FileType type) const;
    /// Whether samples of so many bits stay, if the format stays.
    [[nodiscard]] bool holds_bits(int bits) const;
    [[nodiscard]] bool holds_channels(int count) const;
};

/// The type of `format` nearest to `wanted`: the same, else the narrowest one without a loss, else the best one.
[[nodiscard]] SampleType nearest_type(const FileFormat& format, SampleType wanted);
[[nodiscard]] FileType nearest_type(const FileFormat& format, FileType wanted);

/// Whether the library, when it reads or writes a file of this format, holds at most a strip or a row of tiles of it.
/// (It always holds interlaced PNG and progressive JPEG whole.)
[[nodiscard]] bool is_coded_by_rows(std::string_view format);

/// The row of the format of this name. If there is none, a row without a name, with the defaults above.
[[nodiscard]] const FileFormat& format_named(std::string_view name);

/// Every format that can be written.
[[nodiscard]] std::span<const FileFormat> writable_file_formats();

}  // namespace clconv
