// SPDX-License-Identifier: Apache-2.0
// Runs the items of a batch: several readers, one thread for each device, several writers, and bounded queues between
// them.
//
// Inputs are read from the start, while devices are still being opened, which takes seconds with some drivers. Until
// the first result, only memory bounds how far readers are ahead. An input with several PSFs is read once. Devices get
// images in the order of the items, for any number of threads. One bad item fails alone. The functions to read,
// convolve and write are passed in; batch/image_steps.h has the real ones.
// docs/decisions/025-reading-ahead-and-pinned-blocks.md
#pragma once

#include "base/block_pool.h"
#include "batch/codec_board.h"
#include "batch/image_worker.h"
#include "codecs/image_file.h"
#include "files/item.h"
#include "image/image.h"
#include "report/events.h"
#include "report/tally.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace clconv {

/// The opened workers.
struct Opened {
    std::vector<std::shared_ptr<ImageWorker>> workers;  ///< each with a thread
    std::uint64_t memory = ~std::uint64_t{0};           ///< bytes of host memory for the images in flight then
    bool on_own_cores = true;  ///< other cores than the readers'; otherwise reading far ahead gains nothing
};

/// The work on one item. Any exception fails the item, be it a library's std::length_error or an InputError. Only
/// BuildError and InternalError end the run.
struct Steps {
    /// Reads the image of an item. Called by several threads. The samples' memory comes from `allocate`, which waits
    /// while too much is in flight.
    std::function<Image(const Item&, const AllocateSamples& allocate)> read;
    /// Allocates the memory of an input's samples.
    Allocate memory = [](std::size_t size) { return Bytes(size); };
    /// Bytes of host memory for an input, and for an output while it is made and encoded.
    std::function<std::uint64_t(const Image&)> input_memory;
    std::function<std::uint64_t(const Image&, const Item&)> output_memory;
    /// The same for an input that is read without samples, because it is read and written while it is convolved.
    std::uint64_t streamed_memory = 0;
    /// The same for an input of several parts.
    std::function<std::uint64_t(const Image&)> parts_memory = [](const Image& /*image*/) { return std::uint64_t{0}; };
    /// Called once, by the thread that runs the pipeline, while inputs are read. An exception ends the run. The sink
    /// gets no item before it returns.
    std::function<Opened()> open;
    std::function<void(const Image&, const Item&)> write = {};  ///< called by several threads
    /// If set: makes the output of `same` from that of `made`, which is the same (batch/same_files.h). Called by
    /// several threads. Otherwise each item is computed.
    std::function<void(const Item& made, const Item& same)> copy = {};
    /// Called for results before `write`. An exception fails the item. Returns ItemResult::overflowed.
    std::function<std::size_t(const Image&, const Item&)> judge = [](const Image& /*image*/, const Item& /*item*/) {
        return std::size_t{0};
    };
    /// Called by several threads for every finished item with its result, before it is reported. May add warnings.
    std::function<void(const Image&, const Item&, ItemResult&)> note = [](const Image& /*image*/, const Item& /*item*/,
                                                                          ItemResult& /*result*/) {};
};

struct PipelineOptions {
    int jobs = 1;                              ///< reading threads, and as many writing threads
    bool fail_fast = false;                    ///< the first failure ends the run
    std::uint64_t memory = ~std::uint64_t{0};  ///< bytes of host memory for images, until the first result
    CodecBoard* board = nullptr;               ///< shows the supervisor on which files codecs work
};

/// Runs the items, which must be sorted so that those of one input are neighbours. When `stop` is no longer 0, no more
/// items are started, and images that are being convolved or written are finished. Every started item is reported to
/// `sink`, skipped ones first. Rethrows the error that ended the run.
Tally run_pipeline(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                   const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
