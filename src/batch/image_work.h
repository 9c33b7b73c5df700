// SPDX-License-Identifier: Apache-2.0
// The work on every image of a batch, and its consequences for a single image.
#pragma once

#include "batch/codec_board.h"
#include "batch/convolve_parts.h"
#include "batch/finite.h"
#include "batch/kept_alpha.h"
#include "batch/psf_set.h"
#include "batch/result_header.h"
#include "engine/image_problem.h"
#include "files/item.h"
#include "files/part_choice.h"
#include "image/decode_rules.h"
#include "image/write_options.h"
#include "opencl/kernel_source.h"

#include <filesystem>
#include <optional>

namespace clconv {

/// The work on every image.
struct ImageWork {
    ConvolveSettings convolve;
    KernelSource kernels = KernelSource::embedded();
    PsfSet psfs;
    std::optional<SampleType> depth;  ///< of the outputs; none: the input's
    NonFiniteRule nonfinite = NonFiniteRule::error;
    AlphaRule alpha = AlphaRule::convolve;
    Light light = Light::stored;  ///< linear: as read_image() takes it
    DecodeRules decode;
    PartChoice parts;          ///< of every input, except for items that name one
    WriteOptions write;        ///< for all outputs; write_options() adds what differs
    bool builds_ahead = true;  ///< whether programs of images that were read may be built before the device needs them
};

/// How images without samples are made.
struct Streaming {
    std::uint64_t memory = kNoLimit;  ///< bytes of an image that may be held
    CodecBoard* board = nullptr;      ///< shows the supervisor on which files codecs work
};

/// Whether it is intended that integers clip light: true for a bloom.
[[nodiscard]] bool clips_light(const ImageWork& work);

/// Whether samples that are not finite have a weight: false for a deconvolution by weights.
[[nodiscard]] bool weighs_nonfinite(const ImageWork& work);

/// The type of samples in the file at `output`. Throws InputError as writable_type does.
[[nodiscard]] FileType file_type(const Image& image, const std::filesystem::path& output,
                                 std::optional<SampleType> depth);

/// The type of samples that the engine computes for the file at `output`: the file's own, so that nothing is converted
/// again. It is float if alpha must be divided out or noise be added first, and for types that only files have. Throws
/// InputError as writable_type does.
[[nodiscard]] SampleType engine_output_type(const Image& image, const std::filesystem::path& output,
                                            const ImageWork& work);

/// The engine's view of an image whose result is for the file at `output`. Throws InputError likewise.
[[nodiscard]] ImageView engine_view(const Image& image, const std::filesystem::path& output, const ImageWork& work);

/// The form of the samples of its result. Throws InputError likewise.
[[nodiscard]] ResultSamples result_samples(const Image& image, const std::filesystem::path& output,
                                           const ImageWork& work);

/// The options for the item's output, or for image number `part` of it: those of all outputs, plus the output's type,
/// and the PSF in the history.
[[nodiscard]] WriteOptions write_options(const Image& image, const Item& item, const ImageWork& work,
                                         std::size_t part = 0);

/// The parts of an item whose image has several. Their samples are in blocks of `memory`.
[[nodiscard]] PartsTask parts_task(const Image& image, const Item& item, const ImageWork& work, const BlockPool& memory,
                                   const Streaming& streaming);

}  // namespace clconv
