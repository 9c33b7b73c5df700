// The file formats: what each holds when it is written (sample types, channel counts, alpha), and what is peculiar to
// it or to the library's reader and writer of it.
//
// A table, one row a format, because the library says what a format made of a request only once a file is open, and
// because some of its writers abort on what they cannot hold. tests/image compares every line with what the library
// does.
#pragma once

#include "base/file_type.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace clconv {

/// How a format stores the colours of pixels that are not opaque.
enum class AlphaStorage {
    none,        ///< there is no alpha
    associated,  ///< colours multiplied by alpha
    straight,    ///< colours not multiplied by alpha
    either,      ///< the file says which
};

/// From here on a second JPEG compression is hard to see. For inputs that were no JPEG.
inline constexpr int kJpegQuality = 95;

/// A way of packing samples that the user may ask for, and the levels it has: none if both are equal.
struct Codec {
    std::string_view name;  ///< the library's: "zip"
    int least_level = 0;
    int most_level = 0;

    [[nodiscard]] bool has_levels() const { return least_level < most_level; }
};

/// Whether a format says where a picture lies that is not its whole canvas.
enum class Windows {
    none,
    kept,    ///< of inputs that have some, at positions from 0 on
    always,  ///< anywhere
};

struct FileFormat {
    std::string_view name = "";  ///< the library's: "png", "openexr"; empty: one that has no row

    // What it holds when it is written.
    std::span<const SampleType> types = {};  ///< none: it cannot be written
    std::string_view channels = "";          ///< the counts it can hold, one digit each; empty: any
    AlphaStorage alpha = AlphaStorage::none;
    int default_quality = 0;                  ///< 0: the format has no quality
    std::span<const Codec> codecs = {};       ///< empty: there is no choice
    std::span<const FileType> integers = {};  ///< that it holds beside `types`
    bool holds_parts = false;                 ///< several images, as far as clconv writes them
    bool holds_types_by_channel = false;      ///< channels of several types
    bool holds_inks = false;                  ///< CMYK
    bool holds_profiles = false;              ///< ICC: the library's writer stores them; of WebP kept_metadata.h
    Windows windows = Windows::none;

    // How it is read and written.
    bool by_rows = false;           ///< is_coded_by_rows()
    bool seeks = false;             ///< rows can be read in any order without decoding those before
    bool decodes_onward = false;    ///< to go to a part is to decode those before it
    bool leaves_gaps = true;        ///< the decoder may leave samples as they are and say that all went well
    bool invents_date = false;      ///< the library's writer makes one up, that of writing
    bool has_lossy_codecs = false;  ///< that change copied channels (merged_rows.h)

    // What its samples mean.
    bool is_light = false;            ///< samples are linear, by the format's rule
    bool is_always_straight = false;  ///< alpha is, and the library's reader does not say so
    bool is_bottom_up = false;        ///< the first row is the lowest
    bool has_ids = false;             ///< channels of 32-bit integers are ids

    [[nodiscard]] bool holds(SampleType type) const;
    [[nodiscard]] bool holds_channels(int count) const;
};

/// The format that `path`'s extension chooses for writing. Throws InputError if there is none.
[[nodiscard]] const FileFormat& file_format_of(const std::filesystem::path& path);

/// The type nearest to `wanted` that `format` holds: the same, else the narrowest that loses nothing, else the best.
[[nodiscard]] SampleType nearest_type(const FileFormat& format, SampleType wanted);
[[nodiscard]] FileType nearest_type(const FileFormat& format, FileType wanted);

/// Whether the library holds no more than a strip, or a row of tiles, of a file of the format of this name, when it
/// reads and when it writes. (It holds interlaced PNG and progressive JPEG whole all the same.)
[[nodiscard]] bool is_coded_by_rows(std::string_view format);

/// The row of the format of this name; one without a name, with the defaults above, if there is none.
[[nodiscard]] const FileFormat& format_named(std::string_view name);

/// Every format that can be written.
[[nodiscard]] std::span<const FileFormat> writable_file_formats();

}  // namespace clconv
