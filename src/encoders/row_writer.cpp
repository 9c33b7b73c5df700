// SPDX-License-Identifier: Apache-2.0
#include "encoders/row_writer.h"

#include "base/errors.h"
#include "base/temporary_file.h"
#include "codecs/file_formats.h"
#include "encoders/encoder.h"
#include "encoders/kept_metadata.h"
#include "encoders/written_image.h"

#include <utility>

namespace clconv {

struct RowWriter::State {
    State(const std::filesystem::path& path, const Image& given, const FileFormat& file_format,
          const WriteOptions& write_options)
        : written(path, file_format, given, write_options),
          target(path),
          format(file_format),
          options(write_options),
          file(path),
          encoder({path, file.path()}, file_format,
                  oiio::from_the_top_down(written.header_alone(write_options), file_format), oiio::Held::must_not_be,
                  written.writer())
    {
    }

    oiio::WrittenImage written;
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

void RowWriter::write(const std::byte* samples, int count, const std::byte* kept)
{
    State& s = *state_;
    const oiio::KeptRows kept_rows = s.written.kept_rows_at(kept, s.next_row);
    oiio::write_rows(s.written.given().view(), samples, s.next_row, count, [&](const ImageView& view, int first) {
        s.written.encode(view, first, kept_rows,
                         [&](const std::byte* rows) { s.encoder.write_rows(first, view.extent.height, rows); });
    });
    s.next_row += count;
}

void RowWriter::finish()
{
    State& s = *state_;
    if (s.next_row != s.written.given().extent.height)
        throw InternalError("a file was finished before all of its rows were written");
    s.encoder.close();
    oiio::keep_metadata(s.file.path(), s.target, s.written, s.format, s.options);
    s.file.commit(s.options.existing);
}

bool writes_by_rows(const std::filesystem::path& path) { return is_coded_by_rows(file_format_of(path).name); }

}  // namespace clconv
