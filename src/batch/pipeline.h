// Runs the items of a batch: several readers, a thread a device, several writers, bounded queues between them.
//
// Inputs are read from the start, while devices are still being opened, which takes some drivers seconds: until the
// first result only memory bounds how far readers are ahead. An input with several PSFs is read once. Images are given
// to the devices in the order of the items, whatever the number of threads. One bad item fails alone. How to read,
// convolve and write is passed in; batch/image_steps.h has the real steps.
#pragma once

#include "base/block_pool.h"
#include "batch/codec_board.h"
#include "batch/image_worker.h"
#include "files/item.h"
#include "image/image.h"
#include "image/image_file.h"
#include "report/events.h"
#include "report/tally.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace clconv {

/// What convolves, once it is open.
struct Opened {
    std::vector<std::shared_ptr<ImageWorker>> workers;  ///< a thread each
    std::uint64_t memory = ~std::uint64_t{0};           ///< bytes of host memory for the images in flight then
    bool on_own_cores = true;  ///< not on the readers': only then is anything gained by reading far ahead
};

/// The work on one item. What is thrown fails the item, whatever it is: a library's std::length_error as well as an
/// InputError. Only BuildError and InternalError end the run.
struct Steps {
    /// Reads what an item is made of. Called by several threads. The samples' memory comes from `allocate`, which waits
    /// while too much is in flight.
    std::function<Image(const Item&, const AllocateSamples& allocate)> read;
    /// Where the memory of an input's samples comes from in the end.
    Allocate memory = [](std::size_t size) { return Bytes(size); };
    /// Bytes of host memory for an input, and for an output while it is made and encoded.
    std::function<std::uint64_t(const Image&)> input_memory;
    std::function<std::uint64_t(const Image&, const Item&)> output_memory;
    /// The same for an input that is read without samples, because it is read and written while it is convolved.
    std::uint64_t streamed_memory = 0;
    /// The same for an input of several parts.
    std::function<std::uint64_t(const Image&)> parts_memory = [](const Image& /*image*/) { return std::uint64_t{0}; };
    /// Called once, by the thread that runs the pipeline, while inputs are read. What it throws ends the run; until it
    /// returns the sink hears of no item.
    std::function<Opened()> open;
    std::function<void(const Image&, const Item&)> write = {};  ///< called by several threads
    /// Called before `write`, for results. Throws what fails the item; returns ItemResult::overflowed.
    std::function<std::size_t(const Image&, const Item&)> judge = [](const Image& /*image*/, const Item& /*item*/) {
        return std::size_t{0};
    };
    /// Called for every item that is done, with its result, by several threads, before it is told; may add warnings.
    std::function<void(const Image&, const Item&, ItemResult&)> note = [](const Image& /*image*/, const Item& /*item*/,
                                                                          ItemResult& /*result*/) {};
};

struct PipelineOptions {
    int jobs = 1;                              ///< reading threads, and as many writing threads
    bool fail_fast = false;                    ///< the first failure ends the run
    std::uint64_t memory = ~std::uint64_t{0};  ///< bytes of host memory for images, until the first result
    CodecBoard* board = nullptr;               ///< where whoever supervises the run sees what codecs work at
};

/// Runs the items, which must be sorted so that those of one input are neighbours.
/// When `stop` becomes other than 0 no item is started any more; what is being convolved or written is finished.
/// Every item that is not left unstarted is reported to `sink`, those to skip first. Rethrows what ended the run.
Tally run_pipeline(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                   const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
