// SPDX-License-Identifier: Apache-2.0
// Convolves an image that is too large to be held: reads, convolves and writes it band by band.
#pragma once

#include "batch/codec_board.h"
#include "batch/finite.h"
#include "batch/kept_alpha.h"
#include "batch/result_header.h"
#include "engine/convolver.h"
#include "image/decode_rules.h"
#include "image/row_sink.h"
#include "image/write_options.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clconv {

/// Makes the receiver of the rows of a result. `header` is the result without samples.
using MakeRows = std::function<std::unique_ptr<RowSink>(const Image& header)>;

struct StreamTask {
    std::filesystem::path input;
    std::filesystem::path output;
    ResultSamples samples = {};
    NonFiniteRule nonfinite = NonFiniteRule::error;
    AlphaRule alpha = AlphaRule::convolve;
    Light light = Light::stored;  ///< as read_image() takes it
    WriteOptions write;
    std::uint64_t memory = 0;  ///< bytes of samples that may be held at a time
    CodecBoard* board = nullptr;
    std::size_t item = 0;  ///< its number on the board
    DecodeRules decode = {};
    MakeRows rows = {};        ///< none: a file of its own, at `output`
    bool clips_light = false;  ///< see ResultFile
};

struct Streamed {
    Image image;                   ///< the written image, without samples
    std::vector<StageTime> times;  ///< writing overlaps with the others
    std::string plan;
    std::vector<Warning> warnings = {};   ///< for ItemResult::warnings
    std::vector<std::string> notes = {};  ///< Convolved::notes
};

/// The share of `memory` for the convolved channels of an image; the rest is for the copied ones.
[[nodiscard]] std::uint64_t band_memory(const Image& image, std::uint64_t memory);

/// Writes the convolution of the whole image, within float's rounding; whole or not at all, like write_image(). The
/// formats of input and output must be readable and writable by rows. Throws InputError, also if samples are not finite
/// and the rule is error, or interpolate, which needs the whole image. Throws what Convolver::banded() and
/// convolve_band() throw.
[[nodiscard]] Streamed stream_image(Convolver& convolver, const StreamTask& task,
                                    const std::shared_ptr<const Psf>& psf);

}  // namespace clconv
