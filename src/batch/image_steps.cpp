#include "batch/image_steps.h"

#include "base/block_pool.h"
#include "batch/finite.h"
#include "image/image_file.h"

#include <fmt/format.h>

namespace clconv {

namespace fs = std::filesystem;

namespace {

Image read_finite(const fs::path& path, std::uint64_t most_bytes, const AllocateSamples& allocate, Sink& sink)
{
    Image image = read_image(path, most_bytes, allocate);
    if (image.is_decoded()) require_finite(path, find_nonfinite(image.view()));
    if (image.subimages > 1)
        sink.message(Level::info,
                     fmt::format("{}: holds {} images; only the first is convolved", path.string(), image.subimages));
    return image;
}

std::uint64_t samples_memory(Extent extent, int channels, SampleType type)
{
    return BlockPool::capacity_for(extent.pixels() * static_cast<std::size_t>(channels) * bytes_of(type));
}

/// The result, and the copies that writing it takes: where alpha is divided out, one of floats and one of what they
/// become.
std::uint64_t output_memory(const Image& image, const Item& item, const ImageWork& work)
{
    Problem problem;
    problem.image = image.extent;
    problem.psf = work.psfs.at(item.psf)->extent;
    problem.mode = work.convolve.mode;
    const Extent extent = output_extent(problem);
    const SampleType result = engine_output_type(image, item.info.output, work.depth);
    const std::uint64_t bytes = samples_memory(extent, image.channels, result);
    if (!image.straight_alpha) return bytes;
    return 2 * bytes + samples_memory(extent, image.channels, file_type(image, item.info.output, work.depth));
}

}  // namespace

Steps image_steps(const ImageWork& work, const FileSettings& settings, Allocate host_memory, Sink& sink)
{
    Steps steps;
    steps.memory = std::move(host_memory);
    // The result is about as large.
    steps.read = [most = settings.image_memory / 2, &sink](const fs::path& path, const AllocateSamples& allocate) {
        return read_finite(path, most, allocate, sink);
    };
    steps.streamed_memory = settings.image_memory;
    steps.input_memory = [](const Image& image) { return samples_memory(image.extent, image.channels, image.type); };
    steps.output_memory = [&work](const Image& image, const Item& item) { return output_memory(image, item, work); };
    steps.write = [settings, &work](const Image& image, const Item& item) {
        if (!image.is_decoded()) return;  // was written while it was convolved
        const SampleType type = file_type(image, item.info.output, work.depth);
        write_image(item.info.output, image, {type, settings.quality, settings.strip_metadata});
    };
    return steps;
}

}  // namespace clconv
