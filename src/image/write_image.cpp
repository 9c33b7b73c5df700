#include "base/temporary_file.h"
#include "image/encoded_samples.h"
#include "image/encoder.h"
#include "image/file_formats.h"
#include "image/image_file.h"
#include "image/kept_metadata.h"
#include "image/output_header.h"

namespace clconv {

void write_image(const std::filesystem::path& path, const Image& image, const WriteOptions& options)
{
    const FileFormat& format = file_format_of(path);
    const FileType type = nearest_type(format, options.type.value_or(image.stored_type));
    const oiio::ChannelChoice channels = oiio::choose_channels(path, format, image);
    const bool straight = oiio::writes_straight(format, image, channels);
    const oiio::EncodedSamples samples(image, image.view(), channels, straight, type, options.dither);

    TemporaryFile file(path);
    oiio::Encoder encoder(path, file.path(), format, oiio::output_header(image, format, type, channels, options),
                          oiio::Held::may_be);
    encoder.write_all(samples.data());
    encoder.close();
    oiio::keep_metadata(file.path(), path, image, format, options);
    file.commit();
}

}  // namespace clconv
