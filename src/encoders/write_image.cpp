// SPDX-License-Identifier: Apache-2.0
#include "encoders/write_image.h"

#include "base/temporary_file.h"
#include "codecs/file_formats.h"
#include "encoders/encoder.h"
#include "encoders/kept_metadata.h"
#include "encoders/written_image.h"
#include "formats/gif_frames.h"

namespace clconv {

void write_image(const std::filesystem::path& path, const Image& image, const WriteOptions& options)
{
    const FileFormat& format = file_format_of(path);
    const oiio::WrittenImage written(path, format, image, options);
    TemporaryFile file(path);
    oiio::Encoder encoder({path, file.path()}, format, written.header_alone(options), oiio::Held::may_be,
                          written.writer());
    written.encode(image.view(), 0, oiio::kept_rows(image),
                   [&](const std::byte* pixels) { encoder.write_all(pixels); });
    encoder.close();
    if (format.name == "gif") oiio::make_gif_still(file.path());
    oiio::keep_metadata(file.path(), path, written, format, options);
    file.commit(options.existing);
}

}  // namespace clconv
