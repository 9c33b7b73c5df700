// SPDX-License-Identifier: Apache-2.0
// Convolves a file of several parts (pages, frames, OpenEXR's parts) into one file with the same parts.
//
// Parts are made one by one: while one is convolved, the next ones are read and the one before is written. Only a few
// are held at a time. A part that is too large to be held is processed by bands.
#pragma once

#include "batch/codec_board.h"
#include "batch/image_worker.h"
#include "batch/stream_image.h"
#include "codecs/image_file.h"
#include "image/write_options.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace clconv {

struct PartsTask {
    std::filesystem::path input;
    std::filesystem::path output;
    std::vector<int> parts;  ///< counted from 0, ascending
    Light light = Light::stored;
    DecodeRules decode = {};
    NonFiniteRule nonfinite = NonFiniteRule::error;
    std::uint64_t image_memory = kNoLimit;  ///< a part is processed by bands if it and its result take more bytes
    AllocateSamples allocate = allocate_samples;
    CodecBoard* board = nullptr;
    std::size_t item = 0;          ///< its number on the board
    bool clips_light = false;      ///< see ResultFile
    bool strips_metadata = false;  ///< the output has no profile
    bool weighs_nonfinite = true;  ///< samples that are not finite have a weight
};

/// Convolves the parts.
class PartWorker {
public:
    PartWorker() = default;
    PartWorker(const PartWorker&) = delete;
    PartWorker& operator=(const PartWorker&) = delete;
    virtual ~PartWorker() = default;

    /// Parts that may be started before the first is finished, at least 1.
    [[nodiscard]] virtual std::size_t capacity() const = 0;
    /// The result of a part, without samples.
    [[nodiscard]] virtual Image result_header(const Image& part) const = 0;
    /// The options for its file. `which`: index in PartsTask::parts.
    [[nodiscard]] virtual WriteOptions write_options(const Image& part, std::size_t which) const = 0;
    /// See ImageWorker.
    virtual void start(const std::shared_ptr<const Image>& part) = 0;
    [[nodiscard]] virtual Convolved finish() = 0;
    /// Makes a part by bands, into `rows`. Nothing else is in flight.
    [[nodiscard]] virtual Streamed stream(const Image& part, int number, const MakeRows& rows) = 0;
};

/// Whether a part of a file with several is processed by bands. `by_rows`: is_read_by_rows() of it.
[[nodiscard]] bool goes_by_bands(const Image& part, bool by_rows, const std::filesystem::path& output,
                                 std::uint64_t image_memory);

/// Bytes that the parts of a file may take at a time. `part` is the first of them.
[[nodiscard]] std::uint64_t parts_memory(const Image& part, std::uint64_t image_memory);

/// Writes the output, whole or not at all. The returned value has no samples; its size and type are the first part's.
/// Throws InputError, also if the output's format does not hold several parts, and what `worker` throws.
[[nodiscard]] Convolved convolve_parts(const PartsTask& task, PartWorker& worker);

}  // namespace clconv
