// SPDX-License-Identifier: Apache-2.0
#include "batch/image_steps.h"

#include "base/block_pool.h"
#include "batch/convolve_parts.h"
#include "batch/damage.h"
#include "batch/part_channels.h"
#include "batch/result_check.h"
#include "batch/same_files.h"
#include "batch/sample_notes.h"
#include "codecs/file_formats.h"
#include "codecs/image_file.h"
#include "encoders/data_window.h"
#include "encoders/kept_notes.h"
#include "encoders/output_light.h"
#include "encoders/row_writer.h"
#include "encoders/write_image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// The parts of the input for an item.
std::vector<int> parts_of(const Item& item, const ImageWork& work)
{
    if (item.info.part) return {*item.info.part};
    if (work.parts.named()) return *work.parts.named();
    return work.parts.of(count_parts(item.info.input, work.decode));
}

void warn_of_losses(Image& image, const fs::path& path)
{
    if (image.has_levels)
        image.warnings.emplace_back(
            WarningKind::parts,
            fmt::format(
                "{}: has smaller copies (mipmap levels) of the full image; the full image is convolved, and its "
                "output has no copies",
                path.string()));
    if (image.lost_description)
        image.warnings.emplace_back(
            WarningKind::tags,
            fmt::format(
                "{}: its description (ImageDescription) counts {} images, and its output has one; it is left out",
                path.string(), image.subimages));
}

class ImageReading {
public:
    /// `work` and `sink` must outlive this.
    ImageReading(const ImageWork& work, std::uint64_t image_memory, Sink& sink)
        : work_(work), image_memory_(image_memory), sink_(sink)
    {
    }

    /// Called by several threads.
    Image read(const Item& item, const AllocateSamples& allocate)
    {
        const fs::path& path = item.info.input;
        const std::vector<int> parts = parts_of(item, work_);
        DecodeRules rules = decode_rules_of(item, work_);
        rules.part = parts.front();
        const std::uint64_t maximum = max_decoded_bytes(item.info.output, image_memory_);
        Image image = parts.size() > 1 ? read_header_of_parts(path, parts, work_.light, rules)
                                       : read_image(path, maximum, allocate, work_.light, rules);
        channels_.check(item, image, work_);
        warn_of_damage(image.warnings, path, image.damage);
        if (const std::vector<std::string> copied = copied_channels(image); !copied.empty())
            sink_.message(Level::debug, fmt::format("{}: {} of {} channels are copied: {}", path.string(),
                                                    copied.size(), image.file_channels(), fmt::join(copied, ", ")));
        if (image.is_decoded())
            if (const NonFinite bad = treat_nonfinite(path, image, work_.nonfinite); bad.count > 0)
                sink_.message(Level::info, note_of(path, bad, work_.nonfinite, weighs_nonfinite(work_)));
        warn_of_losses(image, path);
        return image;
    }

private:
    const ImageWork& work_;
    const std::uint64_t image_memory_;
    Sink& sink_;
    PartChannels channels_;
};

template <class Type>
std::uint64_t samples_memory(Extent extent, int channels, Type type)
{
    return BlockPool::capacity_for(extent.pixels() * static_cast<std::size_t>(channels) * bytes_of(type));
}

/// The memory of an image with missing samples: a copy, a mask, the convolved mask.
std::uint64_t gaps_memory(const Image& image, Extent output, const ImageWork& work)
{
    if (work.nonfinite != NonFiniteRule::interpolate || is_integer(image.type)) return 0;
    return samples_memory(image.extent, image.channels, image.type) +
           samples_memory(image.extent, image.channels, SampleType::u8) +
           2 * samples_memory(output, image.channels, SampleType::float32);
}

/// The memory of all channels of a file, as floats and in the type for its encoder.
std::uint64_t merged_memory(const Image& image, Extent output)
{
    return image.split ? 2 * samples_memory(output, image.file_channels(), SampleType::float32) : 0;
}

/// The memory of an encoder that holds more than a few rows.
std::uint64_t encoder_memory(const fs::path& output, Extent extent)
{
    return can_be_written(output) ? extent.pixels() * static_cast<std::size_t>(file_format_of(output).encoder_bytes)
                                  : 0;
}

/// The memory of the result, of its encoder and of the copies for writing it. If alpha is divided out, these are one of
/// floats and one of the final type.
std::uint64_t output_memory(const Image& image, const Item& item, const ImageWork& work)
{
    Problem problem;
    problem.image = image.extent;
    problem.mode = work.convolve.mode;
    // The PSF is looked up only if its size matters, because it may have to be made for this image.
    problem.psf = problem.mode == Mode::same ? Extent{1, 1} : work.psfs.for_image(item.psf, image)->extent;
    const Extent extent = output_extent(problem);
    const SampleType result = engine_output_type(image, item.info.output, work);
    const std::uint64_t bytes = samples_memory(extent, image.channels, result) + gaps_memory(image, extent, work) +
                                merged_memory(image, extent);
    const std::uint64_t encoder = encoder_memory(item.info.output, extent);
    const FileType file = file_type(image, item.info.output, work.depth);
    if (!image.straight_alpha && !image.nodata && file_type_of(result) == file) return bytes + encoder;
    return 2 * bytes + samples_memory(extent, image.channels, file) + encoder;
}

/// The warning that results end at the edge of the data window, although the frame extends further. Empty if nothing is
/// cut.
std::string cut_by_window(const Image& image, const Item& item, const ItemResult& result, const ImageWork& work)
{
    const bool is_copy = result.plan.empty();
    if (is_copy || work.convolve.mode != Mode::same) return {};
    const std::string gap = gap_in_frame(image);
    if (gap.empty() || work.psfs.of(item.psf, image.extent, image.orientation)->extent.pixels() == 1) return {};
    if (clips_light(work))
        return gap +
               ", and the glow ends where the window does; fill the frame first, for instance with oiiotool "
               "--croptofull";
    return gap + ", and the blur ends where the window does; --mode full lets it spread, over black with --border zero";
}

FormRequest request_of(const ImageWork& work)
{
    return {work.depth, work.write.compression || work.write.quality, work.write.strip_metadata};
}

}  // namespace

std::uint64_t max_decoded_bytes(const fs::path& output, std::uint64_t image_memory)
{
    return writes_by_rows(output) ? image_memory / 2 : kNoLimit;  // the result is about as large
}

Steps image_steps(const ImageWork& work, const FileSettings& settings, Allocate host_memory, Sink& sink)
{
    Steps steps;
    steps.memory = std::move(host_memory);
    steps.read = [reading = std::make_shared<ImageReading>(work, settings.image_memory, sink)](
                     const Item& item, const AllocateSamples& allocate) { return reading->read(item, allocate); };
    steps.streamed_memory = settings.image_memory;
    steps.parts_memory = [memory = settings.image_memory](const Image& image) { return parts_memory(image, memory); };
    steps.input_memory = [](const Image& image) {
        return samples_memory(image.extent, image.channels, image.type) + (image.split ? image.split->kept_bytes() : 0);
    };
    steps.output_memory = [&work](const Image& image, const Item& item) { return output_memory(image, item, work); };
    steps.write = [&work](const Image& image, const Item& item) {
        if (!image.is_decoded()) return;  // it was written while it was convolved
        write_image(item.info.output, image, write_options(image, item, work));
    };
    // Noise depends on the output's name.
    if (!work.write.dither)
        steps.copy = [](const Item& made, const Item& same) {
            copy_output(made.info.output, same.info.output, same.existing);
        };
    steps.judge = [&work](const Image& image, const Item& item) {
        if (!image.is_decoded() || !judges_results(work.nonfinite, image.has_nonfinite)) return image.overflowed;
        const FileType type = file_type(image, item.info.output, work.depth);
        const auto codes = output_transfer(image, item.info.output, type, work.write.strip_metadata);
        return image.overflowed +
               count_overflow(item.info.input, image, {image.view()}, {type, codes.get(), clips_light(work)});
    };
    steps.note = [&work, notes = std::make_shared<SampleNotes>(request_of(work), work.light == Light::stored, sink)](
                     const Image& image, const Item& item, ItemResult& result) {
        for (Warning& note : notes_on_kept(image, item.info.output, write_options(image, item, work))) {
            note.message = fmt::format("{}: {}", item.info.output.string(), note.message);
            result.warnings.push_back(std::move(note));
        }
        if (const std::string cut = cut_by_window(image, item, result, work); !cut.empty())
            result.warnings.emplace_back(WarningKind::window, fmt::format("{}: {}", item.info.input.string(), cut));
        // An image that was only copied has its input's type.
        if (result.plan.empty()) result.output_type = file_type(image, item.info.output, work.depth);
        notes->add(item, result, stored_forms(item.info.input, item.info.output, image));
    };
    return steps;
}

}  // namespace clconv
