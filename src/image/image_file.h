// Reading and writing image files. The only part of clconv that knows OpenImageIO.
#pragma once

#include "base/byte_count.h"
#include "base/sample_type.h"
#include "image/compression.h"
#include "image/decode_rules.h"
#include "image/image.h"
#include "psf/psf.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

/// Gives the memory for the samples of an image of which everything else is known. May throw what it likes.
using AllocateSamples = std::function<Bytes(const Image& image)>;

/// Memory of its own for every image.
[[nodiscard]] Bytes allocate_samples(const Image& image);

/// Reads the part that `rules` name whole: the first, unless they say otherwise. u8, u16, half and float files keep
/// their type; others become float: signed integers of 8 and 16 bits the fractions of their largest value, integers of
/// 32 bits and doubles their own values (base/file_type.h); channels of several types the widest. Files with straight
/// alpha are associated, as float. Pixels are not rotated by an orientation tag, and an image is its data window. WebP
/// comes associated by the library, in 8 bits. A TIFF of CMYK comes as its four inks. Throws InputError, naming the
/// file and the decoder's reason: missing, unreadable, truncated, no image, deep, a volume, damaged, without such a
/// part, or larger than `rules` allow, which is found before anything is decoded. An image of more than `most_bytes`
/// comes without its samples if RowReader can read its format. `light` linear: it is to be convolved in linear light.
/// Then Image::transfer says what its file has, and Image::light srgb where the device is to decode that; otherwise
/// linear: samples are light, or colours that were made so, as floats, before they are multiplied by alpha.
[[nodiscard]] Image read_image(const std::filesystem::path& path, std::uint64_t most_bytes = kNoLimit,
                               const AllocateSamples& allocate = allocate_samples, Light light = Light::stored,
                               const DecodeRules& rules = {});

/// All of it but its samples. Throws as read_image() does, as far as the header tells.
[[nodiscard]] Image read_header(const std::filesystem::path& path, Light light = Light::stored,
                                const DecodeRules& rules = {});

/// What read_header() says of the first of these `parts`, for all of them. Throws likewise.
[[nodiscard]] Image read_header_of_parts(const std::filesystem::path& path, const std::vector<int>& parts, Light light,
                                         DecodeRules rules);

/// Whether RowReader can read the file of an image that was read.
[[nodiscard]] bool is_read_by_rows(const Image& image);

/// How many parts the file holds (pages, frames, OpenEXR's parts), 1 if it is no image of several. Throws InputError as
/// read_header() does, but need not find out whether the file can be read.
[[nodiscard]] int count_parts(const std::filesystem::path& path, const DecodeRules& rules = {});

/// The same where no library is needed to find out.
[[nodiscard]] std::optional<int> count_parts_plainly(const std::filesystem::path& path);

/// Where samples that are not finite lie.
struct NonFinite {
    std::size_t count = 0;
    Position first;  ///< in reading order
    int channel = 0;
};

/// Counts NaN and infinite samples of a half or float image; none for integers.
[[nodiscard]] NonFinite find_nonfinite(const ImageView& image);

/// Makes NaN and infinite samples 0. `samples`: those of `image`.
void zero_nonfinite(const ImageView& image, std::byte* samples);

/// One byte a sample: 255 where it is not finite, 0 elsewhere.
[[nodiscard]] Bytes nonfinite_mask(const ImageView& image);

struct WriteOptions {
    std::optional<FileType>
        type;                    ///< of the file's samples; none: image.stored_type, or the nearest the format can hold
    std::optional<int> quality;  ///< 1 .. 100, for formats that have one (JPEG; WebP; JPEG in TIFF)
    bool strip_metadata = false;                  ///< keep only orientation and compression
    std::optional<Compression> compression = {};  ///< one that check_compression() passes
    bool dither = false;       ///< floats become integers with noise that depends on the file's name, not by rounding
    std::uint64_t part = 0;    ///< which image of its file it is: each has noise of its own
    std::string history = {};  ///< how the image was made, for headers that tell it (FITS)
};

/// The sample type a file of this name will get: `wanted` if its format can hold it, else the nearest it can
/// that loses least: half becomes float, else u16; u8 in a format of floats becomes half, u16 becomes float.
/// Throws InputError if no format has this extension or if it cannot be written.
[[nodiscard]] SampleType writable_type(const std::filesystem::path& path, SampleType wanted);

/// The same for a type that devices may not take: itself where the format holds it, else the nearest to float.
[[nodiscard]] FileType writable_type(const std::filesystem::path& path, FileType wanted);

/// The type that a file at `path` should have: the image's stored_type; of an image with a split, in a format that
/// holds one type for all channels, the type that holds all of those that are written. Throws likewise.
[[nodiscard]] FileType type_for(const Image& image, const std::filesystem::path& path);

/// What becomes of an image's copied channels in the file at `path`, if it is not what they were: a sentence each.
/// Empty for images without a split.
[[nodiscard]] std::vector<std::string> notes_on_kept(const Image& image, const std::filesystem::path& path,
                                                     const WriteOptions& options);

/// Whether the extension of `path` is one of writable_extensions().
[[nodiscard]] bool can_be_written(const std::filesystem::path& path);

/// Writes `image` whole or not at all: under a temporary name in the same folder, renamed when complete.
/// `path`'s extension chooses the format. Samples are converted from image.type (rounded to nearest, clamped)
/// only where they are not of the file's type already; straight alpha is un-associated again (where alpha is 0, the
/// colours stay as they are), and light is encoded as output_transfer() says.
///
/// A JPEG that was one has the input's quality, as its tables tell, unless another is asked for, its subsampling of the
/// chroma, and is progressive if it was. Others get quality 95.
/// Metadata go along, as far as the format holds them; those of a JPEG to a JPEG byte for byte, without thumbnails.
/// Windows stay if the size is the input's; else the data window lies at image.place beside the old one, in the same
/// display window, where the format can say so; else the picture gets a plain window at (0, 0). The compression stays
/// if the format is the input's and no other is asked for. A format that has no alpha gets the associated colours, as
/// over black; one that has no gray gets it as RGB. Throws InputError naming the file and the reason; then nothing is
/// left behind and an older file is untouched.
void write_image(const std::filesystem::path& path, const Image& image, const WriteOptions& options = {});

/// Reads a PSF from an image file or from text (.txt, .psf, .csv, .dat, or a file that no image format claims).
/// The PSF's own alpha channel is dropped. Its name is the file's stem; origin (0, 0), not normalised. `light` linear:
/// images of integers are decoded from sRGB.
/// Throws InputError.
[[nodiscard]] Psf read_psf(const std::filesystem::path& path, Light light = Light::stored);

/// Writes a PSF's weights as an image of floats, or of the nearest type that the format can hold, as write_image()
/// does: integers hold 0 to 1. `type`: of the samples, instead of float.
void write_psf(const std::filesystem::path& path, const Psf& psf, std::optional<SampleType> type = {});

/// Whether read_psf() takes it for text by its extension.
[[nodiscard]] bool is_text_psf(const std::filesystem::path& path);

/// Extensions (lower case, without the dot) that can be read.
[[nodiscard]] const std::set<std::string>& readable_extensions();
/// Extensions (lower case, without the dot) that can be written.
[[nodiscard]] const std::set<std::string>& writable_extensions();

/// The first extension, without the dot, of the format that the file's content has, whatever the file is called.
/// Throws InputError as read_image() does, as far as the header tells.
[[nodiscard]] std::string extension_by_content(const std::filesystem::path& path);

/// Whether files of these two extensions are of one format, as "tif" and "tiff"; false if one cannot be written.
[[nodiscard]] bool is_same_format(const std::string& extension, const std::string& other);

/// Version of the image library, for logs and reports: "OpenImageIO 2.4.7".
[[nodiscard]] std::string image_library();

}  // namespace clconv
