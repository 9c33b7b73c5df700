// Convolves an image that is too large to be held: reads, convolves and writes it band by band.
#pragma once

#include "batch/codec_board.h"
#include "engine/convolver.h"
#include "image/image_file.h"
#include "image/row_sink.h"
#include "samples/finite.h"
#include "samples/kept_alpha.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clconv {

/// Makes what takes the rows of a result, of which `header` is all but the samples.
using MakeRows = std::function<std::unique_ptr<RowSink>(const Image& header)>;

struct StreamTask {
    std::filesystem::path input;
    std::filesystem::path output;
    SampleType type = SampleType::float32;  ///< that the device gives
    NonFiniteRule nonfinite = NonFiniteRule::error;
    AlphaRule alpha = AlphaRule::convolve;
    Light light = Light::stored;  ///< as read_image() takes it
    WriteOptions write;
    std::uint64_t memory = 0;  ///< bytes of samples that may be held at a time
    CodecBoard* board = nullptr;
    std::size_t item = 0;  ///< its number on the board
    DecodeRules decode = {};
    MakeRows rows = {};                  ///< none: a file of its own, at `output`
    Light engine_light = Light::stored;  ///< as engine_view() says
};

struct Streamed {
    Image image;                   ///< what was written, without samples
    std::vector<StageTime> times;  ///< writing overlaps with the others
    std::string plan;
    std::vector<std::string> warnings = {};  ///< for ItemResult::warnings
};

/// Writes what convolving the whole image would give, within float's rounding; whole or not at all, as write_image().
/// The input's and the output's format must be ones that are read and written by rows. Throws InputError, also where
/// samples are not finite and the rule is error, or interpolate, which needs the image whole; what Convolver::banded()
/// and convolve_band() throw.
[[nodiscard]] Streamed stream_image(Convolver& convolver, const StreamTask& task,
                                    const std::shared_ptr<const Psf>& psf);

}  // namespace clconv
