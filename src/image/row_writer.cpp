#include "image/row_writer.h"

#include "base/errors.h"
#include "base/temporary_file.h"
#include "image/encoded_samples.h"
#include "image/encoder.h"
#include "image/file_formats.h"
#include "image/kept_metadata.h"
#include "image/output_header.h"

#include <algorithm>
#include <utility>

namespace clconv {

struct RowWriter::State {
    State(const std::filesystem::path& path, const Image& image, const FileFormat& file_format,
          const WriteOptions& write_options)
        : header(without_samples(image)),
          type(nearest_type(file_format, write_options.type.value_or(header.stored_type))),
          channels(oiio::choose_channels(path, file_format, header)),
          straight(oiio::writes_straight(file_format, header, channels)),
          dither(write_options.dither),
          target(path),
          format(file_format),
          options(write_options),
          file(path),
          encoder(path, file.path(), file_format,
                  oiio::from_the_top_down(oiio::output_header(header, file_format, type, channels, write_options)),
                  oiio::Held::must_not_be)
    {
    }

    Image header;
    FileType type;
    oiio::ChannelChoice channels;
    bool straight;
    std::optional<std::uint64_t> dither;
    std::filesystem::path target;
    const FileFormat& format;
    WriteOptions options;
    TemporaryFile file;
    oiio::Encoder encoder;
    int next_row = 0;
};

RowWriter::RowWriter(const std::filesystem::path& path, const Image& header, const WriteOptions& options)
    : state_(new State(path, header, file_format_of(path), options))
{
}

RowWriter::~RowWriter() = default;

void RowWriter::write(const std::byte* samples, int count)
{
    State& s = *state_;
    oiio::write_rows(s.header.view(), samples, s.next_row, count, [&s](const ImageView& view, int first) {
        const oiio::EncodedSamples encoded(s.header, view, s.channels, s.straight, s.type, s.dither, first);
        s.encoder.write_rows(first, view.extent.height, encoded.data());
    });
    s.next_row += count;
}

void RowWriter::finish()
{
    if (state_->next_row != state_->header.extent.height)
        throw InternalError("a file was finished before all of its rows were written");
    State& s = *state_;
    s.encoder.close();
    oiio::keep_metadata(s.file.path(), s.target, s.header, s.format, s.options);
    s.file.commit();
}

bool writes_by_rows(const std::filesystem::path& path) { return is_coded_by_rows(file_format_of(path).name); }

}  // namespace clconv
