#include "image/written_image.h"

#include "base/fingerprint.h"

#include "image/primaries.h"
#include "image/stack_description.h"

#include <string>
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

/// For the file at `path`.
FileEncoding encoding_for(const std::filesystem::path& path, const FileFormat& format, const Image& image,
                          const WriteOptions& options)
{
    FileEncoding encoding;
    encoding.type = nearest_type(format, options.type.value_or(image.stored_type));
    encoding.channels = image.split ? convolved_choice(image) : choose_channels(path, format, image);
    encoding.is_straight = writes_straight(format, image, encoding.channels);
    if (!options.strip_metadata) encoding.profile = made_profile(image, format, encoding.type, encoding.transfer.get());
    encoding.transfer = output_transfer(image, path, encoding.type, options.strip_metadata);
    if (options.dither) encoding.dither = fingerprint(path.filename().string()) + options.part;
    return encoding;
}

}  // namespace

WrittenImage::WrittenImage(const std::filesystem::path& path, const FileFormat& format, const Image& given,
                           const WriteOptions& options)
    : format_(format),
      given_(without_samples(given)),
      merge_(merge_for(format, given_)),
      image_(image_for_file(given_, merge_)),
      encoding_(encoding_for(path, format, image_, options))
{
}

OIIO::ImageSpec WrittenImage::header(const WriteOptions& options) const
{
    return output_header(image_, format_, encoding_, options);
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
    const EncodedSamples encoded(image_, view, encoding_, first_row);
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
