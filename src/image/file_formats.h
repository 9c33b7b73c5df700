// What each file format that can be written holds: sample types, channel counts, and how it stores alpha.
//
// A table, because the library says what a format made of a request only once a file is open, and because some of
// its writers abort on what they cannot hold. tests/image compares every line with what the library does.
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

struct FileFormat {
    std::string_view name;  ///< the library's: "png", "openexr"
    std::span<const SampleType> types;
    std::string_view channels;  ///< the counts it can hold, one digit each; empty: any
    AlphaStorage alpha;
    int default_quality;                      ///< 0: the format has no quality
    std::span<const Codec> codecs = {};       ///< empty: there is no choice
    std::span<const FileType> integers = {};  ///< that it holds beside `types`
    bool holds_parts = false;                 ///< several images, as far as clconv writes them

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

/// Every format that can be written.
[[nodiscard]] std::span<const FileFormat> writable_file_formats();

}  // namespace clconv
