// Runs the items of a batch: several readers, one convolver, several writers, bounded queues between them.
//
// An input with several PSFs is read once. Images are convolved in the order of the items whatever the number of
// threads. One bad item fails alone. How to read, convolve and write is passed in; batch/image_steps.h has the real
// steps.
#pragma once

#include "batch/item.h"
#include "image/image.h"
#include "report/events.h"
#include "report/tally.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace clconv {

struct Convolved {
    Image image;
    std::vector<StageTime> times;
    std::string plan;
};

/// The work on one item. InvalidProblem, InputError and DeviceError fail the item; BuildError, InternalError and
/// anything else end the run.
struct Steps {
    std::function<Image(const std::filesystem::path&)> read;       ///< called by several threads
    std::function<Convolved(const Image&, const Item&)> convolve;  ///< called by the thread that runs the pipeline
    std::function<void(const Image&, const Item&)> write;          ///< called by several threads
};

struct PipelineOptions {
    int jobs = 1;            ///< reading threads, and as many writing threads
    bool fail_fast = false;  ///< the first failure ends the run
};

/// Runs the items, which must be sorted so that those of one input are neighbours.
/// When `stop` becomes other than 0 no item is started any more; what is being convolved or written is finished.
/// Every item that is not left unstarted is reported to `sink`, those to skip first. Rethrows what ended the run.
Tally run_pipeline(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                   const std::atomic<int>& stop, Sink& sink);

}  // namespace clconv
