// SPDX-License-Identifier: Apache-2.0
// Works: how the result of an image is made of its samples and a PSF. A work is a value of ConvolveSettings.
//
// A work says which problem is planned, and which programs it needs besides the plan's. So a menu, `warm`, programs
// that are built in advance and a dry run ask it, without a device. Bound to a device (engine/task.h), it makes a Task
// of each job, which the launcher runs. Nobody else knows a work by its name. To add one, write its Work, and choose it
// where the settings are made.
#pragma once

#include "base/device_traits.h"
#include "conv/problem.h"
#include "opencl/recipe.h"
#include "plan/decisions.h"
#include "psf/psf.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

class BoundWork;
struct WorkContext;

/// The plan and programs that images of one problem need on a device.
struct WorkNeeds {
    Problem planned;                    ///< the problem that is planned
    std::vector<Recipe> programs = {};  ///< besides the programs of its plan
};

class Work {
public:
    virtual ~Work() = default;

    /// The needs of images of `whole`, with a PSF that is fitted to them. `forced`: the user's decisions. Throws
    /// InvalidProblem, TooLarge.
    [[nodiscard]] virtual WorkNeeds needs(const Problem& whole, const Psf& fitted, const Decisions& forced,
                                          const DeviceTraits& traits) const = 0;

    /// The work on a device. Everything in `context` must outlive it.
    [[nodiscard]] virtual std::unique_ptr<BoundWork> bound(const WorkContext& context) const = 0;

    /// An image that is too large for the device may be worked on in parts (plan/overlapping_parts.h): the halo that
    /// each needs. None: by cut().
    [[nodiscard]] virtual std::optional<Extent> halo(const Problem& /*whole*/) const { return std::nullopt; }

    /// Called when an image is too large to be worked on whole, and plain convolutions of its parts would replace the
    /// work. Returns a warning for the user if that differs from the work, or nothing. Throws TooLarge if it is wrong.
    [[nodiscard]] virtual std::optional<std::string> cut() const = 0;

    /// Whether samples that are not finite have no weight.
    [[nodiscard]] virtual bool leaves_out_nonfinite() const { return false; }

    /// Bytes of the host's memory that it holds during a run.
    [[nodiscard]] virtual std::uint64_t host_bytes() const { return 0; }
};

/// One convolution by a plan of the image's own problem (engine/plain_work.h).
[[nodiscard]] std::shared_ptr<const Work> plain_work();

}  // namespace clconv
