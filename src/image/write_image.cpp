#include "base/errors.h"
#include "image/file_formats.h"
#include "image/image_file.h"
#include "image/memory_file.h"
#include "image/openimageio.h"
#include "image/output_header.h"
#include "image/output_stream.h"
#include "image/samples.h"
#include "image/temporary_file.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace clconv {
namespace {

using oiio::ChannelChoice;
using OIIO::ImageOutput;
using OIIO::ImageSpec;

/// What a file gets: its samples, which are the image's own where nothing has to change.
class EncodedSamples {
public:
    EncodedSamples(const Image& image, const ChannelChoice& channels, bool straight, SampleType type)
        : samples_(image.samples.data())
    {
        ImageView view = image.view();
        if (!channels.is_everything(image.channels)) {
            own(select_channels(view, channels.sources));
            view = {image.extent, channels.count(), image.type, samples_};
        }
        if (view.type == type && !straight) return;
        Bytes floats = to_float(view);
        if (straight) unassociate(floats.as<float>(), colours_under_alpha(image, channels));
        own(from_float(floats.as<float>(), type));
    }

    [[nodiscard]] const std::byte* data() const { return samples_; }

private:
    void own(Bytes samples)
    {
        owned_ = std::move(samples);
        samples_ = owned_.data();
    }

    static AlphaLayout colours_under_alpha(const Image& image, const ChannelChoice& channels)
    {
        AlphaLayout layout{channels.count(), channels.alpha, {}};
        const int depth = image.metadata ? image.metadata->spec.z_channel : -1;
        for (int channel = 0; channel < channels.count(); ++channel)
            if (channel != channels.alpha &&
                (depth < 0 || channels.sources[static_cast<std::size_t>(channel)] != depth))
                layout.colours.push_back(channel);
        return layout;
    }

    Bytes owned_;
    const std::byte* samples_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why)
{
    throw InputError(path.string() + ": cannot be written: " + why);
}

bool has_exif(const ImageSpec& header)
{
    return std::any_of(header.extra_attribs.begin(), header.extra_attribs.end(),
                       [](const OIIO::ParamValue& value) { return value.name().string().starts_with("Exif:"); });
}

/// The TIFF writer of OpenImageIO 2.4 takes one, but reads back what it wrote when it adds EXIF, for which it asks no
/// stream: the file would be unreadable.
bool takes_stream(const ImageOutput& output, const FileFormat& format, const ImageSpec& header)
{
    return output.supports("ioproxy") != 0 && !(format.name == "tiff" && has_exif(header));
}

void encode(const std::filesystem::path& path, const std::filesystem::path& temporary, const FileFormat& format,
            const ImageSpec& header, const std::byte* samples)
{
    oiio::initialise();
    const std::unique_ptr<ImageOutput> output = ImageOutput::create(std::string(format.name));
    if (!output) fail(path, oiio::reason(OIIO::geterror(), "the library has no encoder for it"));
    output->threads(1);

    ImageSpec supported = header;
    if (output->supports("tiles") == 0) supported.tile_width = supported.tile_height = supported.tile_depth = 0;

    oiio::OutputStream stream(temporary);
    std::optional<oiio::MemoryFile> memory;
    if (takes_stream(*output, format, header))
        output->set_ioproxy(&stream);
    else
        memory.emplace();
    const bool written = output->open(memory ? memory->path() : temporary.string(), supported) &&
                         output->write_image(header.format, samples) && output->close();
    const std::string message = output->geterror();
    if (memory && written) memory->copy_to(stream);
    stream.close();
    if (stream.first_error() != 0) fail(path, std::strerror(stream.first_error()));
    if (!written) fail(path, oiio::reason(message, "the encoder failed"));
}

}  // namespace

void write_image(const std::filesystem::path& path, const Image& image, const WriteOptions& options)
{
    const FileFormat& format = file_format_of(path);
    const SampleType type = nearest_type(format, options.type.value_or(image.stored_type));
    const ChannelChoice channels = oiio::choose_channels(path, format, image);
    const EncodedSamples samples(image, channels, oiio::writes_straight(format, image, channels), type);

    TemporaryFile file(path);
    encode(path, file.path(), format, oiio::output_header(image, format, type, channels, options), samples.data());
    file.commit();
}

}  // namespace clconv
