// SPDX-License-Identifier: Apache-2.0
#include "batch/image_work.h"

#include "codecs/image_file.h"
#include "encoders/kept_notes.h"
#include "encoders/output_light.h"

namespace clconv {

bool clips_light(const ImageWork& work) { return work.convolve.blending.highlights.has_value(); }

bool weighs_nonfinite(const ImageWork& work) { return !work.convolve.work->leaves_out_nonfinite(); }

FileType file_type(const Image& image, const std::filesystem::path& output, std::optional<SampleType> depth)
{
    return writable_type(output, depth ? file_type_of(*depth) : type_for(image, output));
}

SampleType engine_output_type(const Image& image, const std::filesystem::path& output, const ImageWork& work)
{
    const FileType type = file_type(image, output, work.depth);
    const auto transfer = output_transfer(image, output, type, work.write.strip_metadata);
    // A NaN would become the integer 0, but missing samples must become the nodata value.
    const bool has_missing = image.nodata && work.nonfinite == NonFiniteRule::propagate && is_integer(type);
    // The reader changed halves, so the writer restores them.
    const bool was_half = image.stored_type == FileType::half && image.type == SampleType::float32;
    const bool is_changed = image.straight_alpha || has_missing || (was_half && type == FileType::half) ||
                            (work.write.dither && is_integer(type)) ||
                            is_encoded_by_writer(engine_light(image, transfer.get()), transfer.get());
    return is_changed ? SampleType::float32 : sample_type_of(type);
}

ImageView engine_view(const Image& image, const std::filesystem::path& output, const ImageWork& work)
{
    ImageView view = image.view();
    const FileType type = file_type(image, output, work.depth);
    view.light = engine_light(image, output_transfer(image, output, type, work.write.strip_metadata).get());
    return view;
}

ResultSamples result_samples(const Image& image, const std::filesystem::path& output, const ImageWork& work)
{
    return {engine_output_type(image, output, work), file_type(image, output, work.depth),
            engine_view(image, output, work).light};
}

WriteOptions write_options(const Image& image, const Item& item, const ImageWork& work, std::size_t part)
{
    WriteOptions options = work.write;
    options.type = file_type(image, item.info.output, work.depth);
    options.part = part;
    options.existing = item.existing;
    if (!options.history.empty()) options.history += ", PSF " + item.info.psf;
    return options;
}

PartsTask parts_task(const Image& image, const Item& item, const ImageWork& work, const BlockPool& memory,
                     const Streaming& streaming)
{
    PartsTask task{item.info.input, item.info.output, image.parts, work.light, work.decode, work.nonfinite};
    task.image_memory = streaming.memory;
    task.allocate = [memory](const Image& part) { return memory.take(part.view().bytes()); };
    task.board = streaming.board;
    task.item = item.info.index;
    task.clips_light = clips_light(work);
    task.strips_metadata = work.write.strip_metadata;
    task.weighs_nonfinite = weighs_nonfinite(work);
    return task;
}

}  // namespace clconv
