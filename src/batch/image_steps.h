// The real steps of the pipeline: image files in, the engine, image files out.
#pragma once

#include "batch/pipeline.h"
#include "engine/convolver.h"

#include <memory>
#include <optional>
#include <vector>

namespace clconv {

struct FileSettings {
    std::optional<SampleType> depth;  ///< of the outputs; none: the input's
    std::optional<int> quality;       ///< 1 .. 100, for formats that have one
    bool strip_metadata = false;
};

/// Reading fails for images with samples that are not finite, saying how many there are and where the first is.
/// `convolver` and `sink` must outlive the steps.
[[nodiscard]] Steps image_steps(Convolver& convolver, std::vector<std::shared_ptr<const Psf>> psfs,
                                const FileSettings& settings, Sink& sink);

/// The type of samples to ask of the engine for the file at `output`: the file's own, so that nothing needs to be
/// converted again, but float where alpha must be divided out first. Throws InputError as writable_type does.
[[nodiscard]] SampleType engine_output_type(const Image& image, const std::filesystem::path& output,
                                            std::optional<SampleType> depth);

}  // namespace clconv
