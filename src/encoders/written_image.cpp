// SPDX-License-Identifier: Apache-2.0
#include "encoders/written_image.h"

#include "base/fingerprint.h"
#include "codecs/primaries.h"
#include "codecs/white_zero.h"
#include "encoders/output_light.h"
#include "formats/stack_description.h"

#include <string>

namespace clconv::oiio {
namespace {

/// How an image with a split is merged; nothing for others.
std::optional<Merge> merge_for(const FileFormat& format, const Image& image)
{
    if (!image.split) return std::nullopt;
    return merge_of(format, image);
}

Image image_for_file(const Image& given, const std::optional<Merge>& merge)
{
    return merge && !merge->is_whole ? without_samples(merge->header) : without_samples(given);
}

/// White-is-zero samples stay so in TIFF, which alone has them.
bool keeps_white_zero(const FileFormat& format, const Image& image)
{
    return image.metadata && image.metadata->format == format.name && is_white_zero(*image.metadata);
}

/// The encoding of the file at `path`.
FileEncoding encoding_for(const std::filesystem::path& path, const FileFormat& format, const Image& image,
                          const WriteOptions& options)
{
    FileEncoding encoding;
    encoding.type = nearest_type(format, options.type.value_or(image.stored_type));
    encoding.channels = image.split ? convolved_choice(image) : choose_channels(path, format, image);
    encoding.is_straight = writes_straight(format, image, encoding.channels);
    encoding.transfer = output_transfer(image, path, encoding.type, options.strip_metadata);
    if (!options.strip_metadata) encoding.profile = made_profile(image, format, encoding.type, encoding.transfer.get());
    encoding.is_inverted = keeps_white_zero(format, image) && is_inverted(*image.metadata);
    if (options.dither) encoding.dither = fingerprint(path.filename().string()) + options.part;
    return encoding;
}

}  // namespace

WrittenImage::WrittenImage(const std::filesystem::path& path, const FileFormat& format, const Image& given,
                           const WriteOptions& options)
    : format_(format),
      given_(without_samples(given)),
      merge_(merge_for(format, given)),  // whose samples tell whether alpha is used
      image_(image_for_file(given_, merge_)),
      encoding_(encoding_for(path, format, image_, options))
{
}

SampleMeaning WrittenImage::meaning() const
{
    SampleMeaning meaning;
    if (!image_.metadata || image_.metadata->format != format_.name || !image_.metadata->tiff) return meaning;
    const TiffStorage& input = *image_.metadata->tiff;
    const bool is_gray =
        input.photometric == Photometric::white_is_zero || input.photometric == Photometric::black_is_zero;
    // The writer takes three samples for RGB, and more for RGB with further ones.
    const bool keeps_samples = image_.split || encoding_.channels.is_everything(input.samples);
    if (is_white_zero(*image_.metadata) || (is_gray && keeps_samples && input.samples >= 3))
        meaning.photometric = static_cast<std::uint16_t>(input.photometric);
    // It says what alpha is, and of further samples nothing.
    const bool is_said_by_writer = input.photometric == Photometric::rgb && input.extra_samples.size() < 2;
    if (keeps_samples && !is_said_by_writer && !input.extra_samples.empty())
        meaning.extra_samples = input.extra_samples;
    return meaning;
}

FileHeader WrittenImage::header(const WriteOptions& options) const
{
    return output_header(image_, format_, encoding_, options);
}

Writer WrittenImage::writer() const
{
    const bool keeps_bytes =
        image_.metadata && image_.metadata->format == format_.name && image_.metadata->keeps_bytes();
    return keeps_bytes ? Writer::plain : Writer::library;
}

FileHeader WrittenImage::header_alone(const WriteOptions& options) const
{
    FileHeader result = header(options);
    const std::string text = result.get_string_attribute("ImageDescription");
    if (!image_.metadata || !counts_images(text)) return result;
    const FileHeader& before = image_.metadata->spec;
    const StackChange change{.before = {before.width, before.height},
                             .after = image_.extent,
                             .type = encoding_.type,
                             .same_type = type_desc(encoding_.type) == before.format};
    if (const std::optional<std::string> corrected = description_after(text, change))
        result.attribute("ImageDescription", *corrected);
    else
        result.erase_attribute("ImageDescription");
    return result;
}

void WrittenImage::encode(const ImageView& rows, int first_row, const KeptRows& kept,
                          const std::function<void(const std::byte*)>& write) const
{
    Bytes completed;
    ImageView view = rows;
    if (merge_ && !merge_->is_whole) {
        completed = completed_rows(given_, *merge_, rows, first_row, kept);
        view = {rows.extent, image_.channels, image_.type, completed.data()};
    }
    FileEncoding encoding = encoding_;
    if (merge_ && merge_->stays_straight) encoding.is_straight = false;  // nothing is to be divided
    const EncodedSamples encoded(image_, view, encoding, first_row);
    if (image_.split)
        write(merged_rows(image_, merged_types(format_, *image_.split, encoding_.type),
                          {encoded.data(), first_row, rows.extent.height}, kept)
                  .data());
    else
        write(encoded.data());
}

KeptRows WrittenImage::kept_rows_at(const std::byte* kept, int first_row) const
{
    return [this, kept, first_row](int y) {
        return kept + static_cast<std::size_t>(y - first_row) * given_.split->kept_row_bytes();
    };
}

}  // namespace clconv::oiio
