// An OpenCL device at work on a batch, and what stands in for it when nothing is to be convolved.
#pragma once

#include "batch/codec_board.h"
#include "batch/image_worker.h"
#include "batch/psf_set.h"
#include "engine/convolver.h"
#include "files/part_choice.h"
#include "image/image_file.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "samples/finite.h"
#include "samples/kept_alpha.h"

#include <memory>
#include <optional>
#include <vector>

namespace clconv {

/// What is done with every image.
struct ImageWork {
    ConvolveSettings convolve;
    KernelSource kernels = KernelSource::embedded();
    PsfSet psfs;
    std::optional<SampleType> depth;  ///< of the outputs; none: the input's
    NonFiniteRule nonfinite = NonFiniteRule::error;
    AlphaRule alpha = AlphaRule::convolve;
    Light light = Light::stored;  ///< linear: as read_image() takes it
    DecodeRules decode;
    PartChoice parts;          ///< of every input, but for items that name one
    WriteOptions write;        ///< of all outputs; write_options() adds what differs
    bool builds_ahead = true;  ///< programs of images that were read may be built before the device comes to them
};

/// How images that come without samples are made.
struct Streaming {
    std::uint64_t memory = kNoLimit;  ///< bytes that may be held of one
    CodecBoard* board = nullptr;      ///< where whoever supervises the run sees what codecs work at
};

/// Convolves on `device`. Results lie in blocks of `memory`, and so may images. `work` must outlive it. Images without
/// samples are read and written by bands meanwhile, or read whole where the output's format cannot be written so.
[[nodiscard]] std::shared_ptr<ImageWorker> device_worker(std::shared_ptr<Device> device, const ImageWork& work,
                                                         const BlockPool& memory, const Streaming& streaming = {});

/// Gives every image back as it is: for measuring what reading and writing alone cost. `work` must outlive it.
[[nodiscard]] std::shared_ptr<ImageWorker> copying_worker(const ImageWork& work, const BlockPool& memory,
                                                          const Streaming& streaming = {});

/// The type of samples in the file at `output`. Throws InputError as writable_type does.
[[nodiscard]] FileType file_type(const Image& image, const std::filesystem::path& output,
                                 std::optional<SampleType> depth);

/// The type of samples to ask of the engine for the file at `output`: the file's own, so that nothing needs to be
/// converted again, but float where alpha must be divided out or noise be added first, and for types that only files
/// have. Throws InputError as writable_type does.
[[nodiscard]] SampleType engine_output_type(const Image& image, const std::filesystem::path& output,
                                            const ImageWork& work);

/// What the engine is to see of an image whose result is for the file at `output`. Throws InputError likewise.
[[nodiscard]] ImageView engine_view(const Image& image, const std::filesystem::path& output, const ImageWork& work);

/// How the item's output is written, or image number `part` of it: as all are, in the type that the output has, with
/// the PSF in what headers say of how it was made.
[[nodiscard]] WriteOptions write_options(const Image& image, const Item& item, const ImageWork& work,
                                         std::size_t part = 0);

}  // namespace clconv
