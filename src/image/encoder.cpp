#include "image/encoder.h"

#include "base/errors.h"
#include "image/row_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace clconv::oiio {
namespace {

using OIIO::ImageOutput;
using OIIO::ImageSpec;

/// The TIFF writer itself adds Exif:ColorSpace for sRGB.
bool gets_exif(const ImageSpec& header)
{
    if (header.get_string_attribute("oiio:ColorSpace") == "sRGB") return true;
    return std::any_of(header.extra_attribs.begin(), header.extra_attribs.end(),
                       [](const OIIO::ParamValue& value) { return value.name().string().starts_with("Exif:"); });
}

/// The TIFF writer of OpenImageIO 2.4 takes one, but reads back what it wrote when it adds EXIF, for which it asks no
/// stream: the file would be unreadable.
bool takes_stream(const ImageOutput& output, const FileFormat& format, const ImageSpec& header)
{
    return output.supports("ioproxy") != 0 && !(format.name == "tiff" && gets_exif(header));
}

/// Bytes of a file.
struct Field {
    int64_t offset = 0;
    size_t size = 0;
};

/// What the library's writer puts into the file's head that comes neither from the image nor from its header, so that
/// the same image would give different files: the time of writing (DateCreated of RLA), or whatever lay in memory (the
/// name of an SGI image that has none). Readers take zeros there for nothing.
Field invented_field(std::string_view format, const ImageSpec& header)
{
    if (format == "rla") return {28 + 16 + 4 * 24 + 4 + 2 * 128 + 64 + 2 * 32, 20};
    if (format == "sgi" && header.get_string_attribute("ImageDescription").empty()) return {24, 80};
    return {};
}

ImageSpec supported(ImageSpec header, const ImageOutput& output)
{
    if (output.supports("tiles") == 0) header.tile_width = header.tile_height = header.tile_depth = 0;
    return header;
}

}  // namespace

Encoder::Encoder(std::filesystem::path target, const std::filesystem::path& temporary, const FileFormat& format,
                 const ImageSpec& header, Held held)
    : target_(std::move(target)), temporary_(temporary), header_(header), stream_(temporary)
{
    oiio::initialise();
    output_ = ImageOutput::create(std::string(format.name));
    if (!output_) fail(oiio::reason(OIIO::geterror(), "the library has no encoder for it"));
    output_->threads(1);
    // Where the bytes go to the stream, the name is only noted (by DPX, in the file).
    std::string name = target_.filename().string();
    if (takes_stream(*output_, format, header)) {
        output_->set_ioproxy(&stream_);
    } else if (held == Held::may_be) {
        name = memory_.emplace().path();
    } else {
        by_path_ = true;
        name = temporary_.string();
    }
    check(output_->open(name, supported(header_, *output_)));
}

Encoder::~Encoder() = default;

void Encoder::write_all(const std::byte* samples) { check(output_->write_image(header_.format, samples)); }

void Encoder::write_rows(int first, int count, const std::byte* samples)
{
    check(output_->write_scanlines(header_.y + first, header_.y + first + count, header_.z, header_.format, samples));
}

void Encoder::close()
{
    const bool closed = output_->close();
    if (memory_ && closed) memory_->copy_to(stream_);
    if (closed) erase_invented();
    stream_.close();
    check(closed);
    if (!by_path_) return;
    // Nobody was told if the last bytes found no room. The directory of a TIFF lies behind its samples: who reads the
    // last row has both.
    RowReader written(temporary_);
    Bytes row(written.header().view().bytes() / static_cast<std::size_t>(written.header().extent.height));
    written.read(written.header().extent.height - 1, 1, row.data());
}

void Encoder::erase_invented()
{
    const Field field = invented_field(output_->format_name(), header_);
    if (field.size > 0) stream_.pwrite(std::string(field.size, '\0').data(), field.size, field.offset);
}

void Encoder::check(bool written)
{
    const std::string message = output_->geterror();
    if (stream_.first_error() != 0) fail(std::strerror(stream_.first_error()));
    if (written) return;
    // The library's TIFF writer crashes while it cleans up after an error that it saw.
    if (by_path_) static_cast<void>(output_.release());
    fail(oiio::reason(message, "the encoder failed"));
}

void Encoder::fail(const std::string& why) const { throw InputError(target_.string() + ": cannot be written: " + why); }

}  // namespace clconv::oiio
