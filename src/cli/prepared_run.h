// Everything a run needs, made and checked before any work starts. No device is touched.
#pragma once

#include "batch/image_steps.h"
#include "batch/item.h"
#include "cli/run_options.h"
#include "engine/convolver.h"
#include "report/events.h"

#include <memory>
#include <vector>

namespace clconv {

struct PreparedRun {
    ConvolveSettings convolve;
    FileSettings files;
    KernelSource kernels = KernelSource::embedded();
    std::vector<std::shared_ptr<const Psf>> psfs;
    std::vector<Item> items;
};

/// Checks in this order: usage, inputs, outputs. Nothing is written.
/// Throws InvalidProblem, NoInput or OutputExists.
[[nodiscard]] PreparedRun prepare_run(const RunOptions& options, Sink& sink);

}  // namespace clconv
