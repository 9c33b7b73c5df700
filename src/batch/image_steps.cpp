#include "batch/image_steps.h"

#include "base/errors.h"
#include "image/image_file.h"

#include <fmt/format.h>

namespace clconv {

namespace fs = std::filesystem;

namespace {

Image read_finite(const fs::path& path, Sink& sink)
{
    Image image = read_image(path);
    const NonFinite bad = find_nonfinite(image);
    if (bad.count > 0)
        throw InputError(fmt::format(
            "{}: {} sample{} not finite (NaN or infinite), the first at x {}, y {}, channel {}; "
            "finite samples are needed: repair the image first",
            path.string(), bad.count, bad.count == 1 ? " is" : "s are", bad.first.x, bad.first.y, bad.channel));
    if (image.subimages > 1)
        sink.message(Level::info,
                     fmt::format("{}: holds {} images; only the first is convolved", path.string(), image.subimages));
    return image;
}

SampleType file_type(const Image& image, const fs::path& output, std::optional<SampleType> depth)
{
    return writable_type(output, depth.value_or(image.stored_type));
}

}  // namespace

SampleType engine_output_type(const Image& image, const fs::path& output, std::optional<SampleType> depth)
{
    const SampleType type = file_type(image, output, depth);
    return image.straight_alpha ? SampleType::float32 : type;
}

Steps image_steps(Convolver& convolver, std::vector<std::shared_ptr<const Psf>> psfs, const FileSettings& settings,
                  Sink& sink)
{
    Steps steps;
    steps.read = [&sink](const fs::path& path) { return read_finite(path, sink); };
    steps.convolve = [&convolver, psfs = std::move(psfs), settings](const Image& image, const Item& item) {
        const SampleType type = engine_output_type(image, item.info.output, settings.depth);
        Convolver::Output output = convolver.convolve(image.view(), image.alpha_channel, psfs.at(item.psf), type);
        Convolved convolved;
        convolved.image = {.extent = output.extent,
                           .channels = image.channels,
                           .alpha_channel = image.alpha_channel,
                           .type = type,
                           .stored_type = file_type(image, item.info.output, settings.depth),
                           .straight_alpha = image.straight_alpha,
                           .subimages = 1,
                           .samples = std::move(output.samples),
                           .metadata = image.metadata};
        convolved.times = std::move(output.times);
        convolved.plan = std::move(output.plan);
        return convolved;
    };
    steps.write = [settings](const Image& image, const Item& item) {
        write_image(item.info.output, image, {image.stored_type, settings.quality, settings.strip_metadata});
    };
    return steps;
}

}  // namespace clconv
