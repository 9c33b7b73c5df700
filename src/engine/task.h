// SPDX-License-Identifier: Apache-2.0
// A work on a device, and the tasks that it makes of jobs: how one image is planned, enqueued and checked.
#pragma once

#include "base/block_pool.h"
#include "base/image_view.h"
#include "engine/first_use.h"
#include "engine/flights.h"
#include "engine/image_problem.h"
#include "engine/image_statistics.h"
#include "engine/prepared_plan.h"
#include "engine/uploaded_mask.h"
#include "engine/work.h"
#include "engine/zero_rule.h"
#include "passes/levels.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// What the overlapping parts of an image share (plan/overlapping_parts.h), and where one of them is.
struct PartOfWhole {
    const ImageView& whole;
    ImageStatistics statistics;      ///< of the whole
    std::vector<double> means = {};  ///< of the whole's data, when the task of the first part has found them
    Position first = {};             ///< of the part in the whole
};

/// One image, or a piece of one, to be worked on.
struct Job {
    Problem problem;
    const ImageView& image;  ///< with facts where results need them
    const std::vector<double>& bias;
    UsedPsf psf;
    const Blending& blending;
    std::shared_ptr<const PsfSupport> support = {};
    PartOfWhole* part = nullptr;  ///< null: the image is a whole

    [[nodiscard]] ImageLevels levels(double magnitude) const
    {
        return {bias, magnitude, image.alpha_channel, image.facts, support.get()};
    }
};

/// Resources that works may use.
struct WorkContext {
    Device& device;
    const KernelSource& kernels;
    const ConvolveSettings& settings;
    const Allocate& host_memory;  ///< for results
    UploadedMask& mask;
    std::function<void()> settle_all;  ///< waits for everything in flight

    [[nodiscard]] bool is_cpu() const { return device.info().traits.is_cpu; }
};

/// A job of a work. Lives no longer than the job.
class Task {
public:
    virtual ~Task() = default;

    [[nodiscard]] virtual const Problem& planned() const = 0;

    /// The transfer that a plan of planned() multiplies by. The first call makes it.
    [[nodiscard]] virtual PreparedPlan::Transfer transfer(PreparedPlan& plan) = 0;

    /// Enqueues everything from the image's samples to flight.result. `plan`: of planned(). `is_checked`: compare()
    /// will follow.
    virtual void enqueue(Flight& flight, PreparedPlan& plan, const PreparedPsf& transfer, bool is_checked) = 0;

    /// Whether its launches may have other images, too: enqueue() then only adds the image to flight.shared.
    [[nodiscard]] virtual bool shares_launches() const { return false; }

    /// Compares the result of a settled flight with an independent one.
    [[nodiscard]] virtual PlanCheck::Finding compare(PlanCheck& check, const Flight& flight) = 0;

    /// What precedes the plan's text in reports.
    [[nodiscard]] virtual std::string text() const { return ""; }
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
    /// The rule of exact zeros, from the one of a plain convolution; none if no result is known to be zero.
    [[nodiscard]] virtual std::optional<ZeroRule> zeros(ZeroRule plain) const { return plain; }
};

class BoundWork {
public:
    virtual ~BoundWork() = default;
    /// The time for what it prepares is added to `result`. Throws InvalidProblem, TooLarge, BuildError, DeviceError.
    [[nodiscard]] virtual std::unique_ptr<Task> task(const Job& job, ConvolvedImage& result) = 0;
};

}  // namespace clconv
