#include "image/written_image.h"

#include "base/fingerprint.h"

#include "image/output_light.h"

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

}  // namespace

WrittenImage::WrittenImage(const std::filesystem::path& path, const FileFormat& format, const Image& given,
                           const WriteOptions& options)
    : format_(format),
      given_(without_samples(given)),
      merge_(merge_for(format, given_)),
      image_(image_for_file(given_, merge_)),
      type_(nearest_type(format, options.type.value_or(image_.stored_type))),
      channels_(image_.split ? convolved_choice(image_) : choose_channels(path, format, image_)),
      straight_(writes_straight(format, image_, channels_)),
      transfer_(output_transfer(image_, path, type_, options.strip_metadata)),
      dither_(options.dither ? std::optional(fingerprint(path.filename().string()) + options.part) : std::nullopt)
{
}

OIIO::ImageSpec WrittenImage::header(const WriteOptions& options) const
{
    return output_header(image_, format_, type_, channels_, options, transfer_.get());
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
    const EncodedSamples encoded(image_, view, channels_, straight_, type_, transfer_, dither_, first_row);
    if (image_.split)
        write(merged_rows(image_, merged_types(format_, *image_.split, type_), encoded.data(), first_row,
                          rows.extent.height, kept)
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
