// SPDX-License-Identifier: Apache-2.0
// Images in flight: started on a device and not yet finished. Knows which slot of which plan each uses, and waits for
// them.
#pragma once

#include "base/clock.h"
#include "engine/banded_convolution.h"
#include "engine/convolved_image.h"
#include "engine/prepared_plan.h"
#include "engine/shared_launch.h"
#include "engine/zero_rule.h"
#include "opencl/api.h"
#include "passes/levels.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace clconv {

/// Data for finding the places where a finished result is exactly zero.
struct FlightZeros {
    ZeroRule rule;
    const std::byte* samples;  ///< of the image
};

/// Data for estimating the noise of --precision half in the finished result, and for the warning.
struct FlightNoise {
    Plan plan;
    ImageView image;
    std::vector<double> bias;
    std::shared_ptr<const PsfSupport> support;
};

/// The end of an iteration, on its way.
struct Milestone {
    cl::Event event;  ///< complete when it has ended
    int done = 0, maximum = 0;
};

/// An image, or a piece of one, on its way through the device.
struct Flight {
    const PreparedPlan* plan = nullptr;  ///< null once it is done
    int slot = 0;
    ImageBuffers buffers;
    PieceInput piece;  ///< if the flight is a piece; otherwise it refers to samples of the caller
    LevelScalars levels;
    std::shared_ptr<const void> held;                ///< by its task, until the flight is settled
    std::function<void(ConvolvedImage&)> completes;  ///< by its task: called with the result when it is settled
    TellIterations tell;                             ///< by the caller; may be null
    std::vector<Milestone> milestones;               ///< by its task, in their order; settle() tells them
    std::optional<FlightZeros> zeros;
    std::optional<FlightNoise> noise;
    Clock::time_point started = Clock::now();
    ConvolvedImage result;
    std::unique_ptr<Launcher> preparing;  ///< of the PSF, if this flight is the first to use it
    SharedPlace shared;                   ///< if its launches have other images, too; then it has no launcher
    std::unique_ptr<Launcher> launcher;   ///< the last member: its destructor waits for commands that use the others

    /// Whether its slot is free, although it may have to be settled still.
    [[nodiscard]] bool has_landed() const { return !plan || (shared && shared->is_finished()); }

    /// Waits until it is done. The result stays here, and its slot becomes free. Throws DeviceError.
    void settle();
};

/// Flights of two kinds, because an image that is convolved in pieces may have others before it.
class Flights {
public:
    std::deque<Flight> images;  ///< the oldest first
    std::deque<Flight> pieces;  ///< of an image that is convolved band by band

    /// Removes and returns the first flight of a queue, settled.
    [[nodiscard]] static Flight take_first(std::deque<Flight>& some);

    /// Launches of `images` on their way. One of several images counts once.
    [[nodiscard]] std::size_t launches() const;

    /// A slot for an image of `plan` that no flight uses, of whatever plan. If there is none, waits for the oldest
    /// flight that uses one.
    [[nodiscard]] int free_slot(const PreparedPlan& plan);

    void settle_all();
};

}  // namespace clconv
