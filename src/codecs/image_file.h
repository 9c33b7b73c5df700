// SPDX-License-Identifier: Apache-2.0
// Reading image files, and what files can be read and written. OpenImageIO is behind codec_library.h.
#pragma once

#include "base/byte_count.h"
#include "base/sample_type.h"
#include "image/decode_rules.h"
#include "image/image.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

/// Allocates the samples of an image. Everything else of the image is known. May throw anything.
using AllocateSamples = std::function<Bytes(const Image& image)>;

/// Allocates separate memory for every image.
[[nodiscard]] Bytes allocate_samples(const Image& image);

/// Reads the whole part that `rules` name, by default the first. u8, u16, half and float files keep their type. Others
/// become float: signed integers of 8 and 16 bits as fractions of their largest value, integers of 32 bits and doubles
/// (if `rules` do not keep them) as their own values (base/file_type.h). Channels of several types get the widest type.
/// Files with straight alpha are associated, as float. An orientation tag does not rotate pixels, and an image is its
/// data window. A CMYK TIFF becomes its four inks. An image of more than `max_bytes` has no samples if RowReader can
/// read its format. With `light` linear, the image will be convolved in linear light. Image::transfer is then the
/// function of its file. Image::light is srgb if the device must decode it; otherwise it is linear: samples are light,
/// or colours that were decoded, as floats, before they are multiplied by alpha. Throws InputError with the file and
/// the decoder's reason: missing, unreadable, truncated, not an image, deep, a volume, damaged, without such a part, or
/// larger than `rules` allow, which is found before anything is decoded.
[[nodiscard]] Image read_image(const std::filesystem::path& path, std::uint64_t max_bytes = kNoLimit,
                               const AllocateSamples& allocate = allocate_samples, Light light = Light::stored,
                               const DecodeRules& rules = {});

/// The same image without its samples. Throws as read_image() does, as far as the header shows.
[[nodiscard]] Image read_header(const std::filesystem::path& path, Light light = Light::stored,
                                const DecodeRules& rules = {});

/// read_header() of the first of these `parts`, on behalf of all of them. Throws likewise.
[[nodiscard]] Image read_header_of_parts(const std::filesystem::path& path, const std::vector<int>& parts, Light light,
                                         DecodeRules rules);

/// Whether read_image() leaves the samples of this image to RowReader, if that can read its file.
[[nodiscard]] bool is_left_to_rows(const Image& header, std::uint64_t max_bytes);

/// Whether RowReader can read the file of this image.
[[nodiscard]] bool is_read_by_rows(const Image& image);

/// The number of parts in the file (pages, frames, OpenEXR's parts); 1 if it is not an image of several. Throws
/// InputError as read_header() does, but does not always check whether the file can be read.
[[nodiscard]] int count_parts(const std::filesystem::path& path, const DecodeRules& rules = {});

/// The same, if it can be found without a library.
[[nodiscard]] std::optional<int> count_parts_plainly(const std::filesystem::path& path);

/// The sample type of a file of this name: `wanted` if its format can hold it, else the type that loses the least.
/// Half becomes float, else u16. In a format of floats, u8 becomes half and u16 becomes float. Throws InputError if no
/// format has this extension or if it cannot be written.
[[nodiscard]] SampleType writable_type(const std::filesystem::path& path, SampleType wanted);

/// The same for a type that devices may not support: itself if the format holds it, else the nearest to float.
[[nodiscard]] FileType writable_type(const std::filesystem::path& path, FileType wanted);

/// Whether the extension of `path` is one of writable_extensions().
[[nodiscard]] bool can_be_written(const std::filesystem::path& path);

/// Whether a file needs OpenImageIO to be read, by its first bytes; false for files that cannot be read.
[[nodiscard]] bool needs_library(const std::filesystem::path& input);
/// Whether OpenImageIO is needed to read `input` and to write the result to `output`, by their extensions.
[[nodiscard]] bool needs_library(const std::filesystem::path& input, const std::filesystem::path& output);
/// Loads OpenImageIO now, and not when a file is first opened: child processes have it then, too.
void load_library();

/// Extensions (lower case, without the dot) that can be read.
[[nodiscard]] const std::set<std::string>& readable_extensions();
/// Extensions (lower case, without the dot) that can be written.
[[nodiscard]] const std::set<std::string>& writable_extensions();

/// The first extension, without the dot, of the format of the file's content, for any file name. Throws InputError as
/// read_image() does, as far as the header shows.
[[nodiscard]] std::string extension_by_content(const std::filesystem::path& path);

/// Whether these two extensions are of the same format, such as "tif" and "tiff"; false if one cannot be written.
[[nodiscard]] bool is_same_format(const std::string& extension, const std::string& other);

/// Version of the image library, for logs and reports: "OpenImageIO 2.4.7".
[[nodiscard]] std::string image_library();

}  // namespace clconv
