// SPDX-License-Identifier: Apache-2.0
// Small images that a GPU convolves in the same launches, because launches take the host longer than the GPU needs for
// one of them (docs/decisions/058-several-images-in-a-launch.md).
//
// Images join one after the other, and are uploaded as they join. The launch leaves when it is full, or earlier if
// somebody calls launch() or finish().
#pragma once

#include "base/bytes.h"
#include "base/image_view.h"
#include "base/timings.h"
#include "engine/prepared_plan.h"
#include "opencl/device.h"
#include "passes/launcher.h"
#include "passes/levels.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace clconv {

/// How many images of the plan's problem share launches, at most. 1: each has its own.
[[nodiscard]] int images_a_launch(const Plan& plan, const DeviceTraits& traits);

class SharedLaunch {
public:
    /// For `capacity` images of one problem, in a free slot of its plan. All references must outlive the launch.
    SharedLaunch(Device& device, PreparedPlan& plan, const PreparedPsf& transfer, int slot, int capacity);

    /// Whether an image with this plan and transfer can still join.
    [[nodiscard]] bool takes(const PreparedPlan& plan, const PreparedPsf& transfer) const
    {
        return !launched_ && &plan == &plan_ && &transfer == &transfer_;
    }
    [[nodiscard]] bool is_waiting() const { return !launched_; }
    [[nodiscard]] int slot() const { return slot_; }
    [[nodiscard]] bool is_finished() const { return finished_; }

    /// Uploads an image, whose result will be in `result`: output_bytes() of the plan. Both are in use until finish().
    /// Launches if this was the last image that fits. Throws cl::Error.
    void join(const ImageView& image, const LevelScalars& levels, Bytes& result);

    /// Enqueues the convolution of the images so far, unless that was done. Errors are finish()'s.
    void launch() noexcept;

    /// Launches and waits. Throws what went wrong, each time. Times are those of one image: the launch's, divided.
    void finish();
    [[nodiscard]] const std::vector<StageTime>& times() const { return times_; }
    /// When the commands ran. Empty from the second call on.
    [[nodiscard]] std::vector<Span> take_spans() { return std::exchange(spans_, {}); }

private:
    void enqueue();

    PreparedPlan& plan_;
    const PreparedPsf& transfer_;
    const int slot_;
    const std::size_t capacity_;
    ImageBuffers buffers_;
    Bytes bias_, restore_;             ///< levels of all images
    std::vector<std::byte*> results_;  ///< of the images so far
    bool launched_ = false, finished_ = false;
    std::exception_ptr error_;
    std::vector<StageTime> times_;
    std::vector<Span> spans_;
    Launcher launcher_;  ///< the last member: its destructor waits for commands that use the others
};

/// An image's part in a shared launch. As long as it exists, the image and its result are in use.
class SharedPlace {
public:
    SharedPlace() = default;
    explicit SharedPlace(std::shared_ptr<SharedLaunch> launch) : launch_(std::move(launch)) {}
    SharedPlace(SharedPlace&&) noexcept = default;
    SharedPlace& operator=(SharedPlace&& other) noexcept;
    SharedPlace(const SharedPlace&) = delete;
    SharedPlace& operator=(const SharedPlace&) = delete;
    /// Waits for the launch, so that nothing uses the image.
    ~SharedPlace() { leave(); }

    explicit operator bool() const { return launch_ != nullptr; }
    SharedLaunch* operator->() const { return launch_.get(); }
    [[nodiscard]] bool is_of(const SharedPlace& other) const { return launch_ == other.launch_; }

private:
    void leave() noexcept;

    std::shared_ptr<SharedLaunch> launch_;
};

}  // namespace clconv
