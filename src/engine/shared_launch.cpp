// SPDX-License-Identifier: Apache-2.0
#include "engine/shared_launch.h"

#include "engine/clamped.h"
#include "passes/engine.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace clconv {
namespace {

/// Spectra of this many bytes are enough for a launch to take a GPU longer than the host (measured on an H100).
constexpr std::uint64_t kEnoughSpectra = std::uint64_t{64} << 20U;
constexpr std::uint64_t kMaxImages = 16;

/// Bytes that a launch needs for each of its images.
std::uint64_t bytes_of_image(const Plan& plan)
{
    const std::uint64_t spectra = plan.is_fft() ? plan.fft().spectra_bytes(plan.problem.precision) : 0;
    return std::max({spectra, input_bytes(plan), output_bytes(plan)});
}

}  // namespace

int images_a_launch(const Plan& plan, const DeviceTraits& traits)
{
    if (traits.is_cpu || !can_share_launches(plan)) return 1;
    const std::uint64_t memory = std::min({kEnoughSpectra, traits.max_allocation, traits.global_memory / 64});
    return static_cast<int>(std::clamp<std::uint64_t>(memory / bytes_of_image(plan), 1, kMaxImages));
}

SharedLaunch::SharedLaunch(Device& device, PreparedPlan& plan, const PreparedPsf& transfer, int slot, int capacity)
    : plan_(plan),
      transfer_(transfer),
      slot_(slot),
      capacity_(static_cast<std::size_t>(capacity)),
      bias_(capacity_ * level_bytes(plan.plan().problem)),
      restore_(bias_.size()),
      launcher_(device, plan.route_of(slot))
{
    const Plan& images = plan.plan();
    buffers_ = plan.slot(
        slot,
        {.input = capacity_ * input_bytes(images), .output = capacity_ * output_bytes(images), .levels = bias_.size()});
    buffers_.weight = transfer.weight;
}

void SharedLaunch::join(const ImageView& image, const LevelScalars& levels, Bytes& result)
{
    const Plan& plan = plan_.plan();
    const std::size_t number = results_.size();
    const std::size_t in = number * input_bytes(plan), out = number * output_bytes(plan);
    if (plan.problem.counts_clamped) {
        const std::size_t place = clamped_place(plan.output.pixels() * plan.problem.channels, plan.problem.output);
        launcher_.write(buffers_.output, result.data() + place, kClampedBytes, out + place);
    }
    launcher_.write(buffers_.input, image.samples, input_bytes(plan), in);
    const std::size_t at = number * level_bytes(plan.problem);
    std::memcpy(bias_.data() + at, levels.bias.data(), levels.bias.size());
    std::memcpy(restore_.data() + at, levels.restore.data(), levels.restore.size());
    results_.push_back(result.data());
    if (results_.size() == capacity_) launch();
}

void SharedLaunch::launch() noexcept
{
    if (std::exchange(launched_, true)) return;
    try {
        enqueue();
    } catch (...) {
        error_ = std::current_exception();
    }
}

void SharedLaunch::enqueue()
{
    const std::size_t levels = results_.size() * level_bytes(plan_.plan().problem);
    launcher_.write(buffers_.bias, bias_.data(), levels);
    launcher_.write(buffers_.restore, restore_.data(), levels);
    buffers_.images = static_cast<int>(results_.size());
    plan_.convolution_of(slot_).convolve(launcher_, buffers_, transfer_);
    launcher_.read_parts(buffers_.output, results_, output_bytes(plan_.plan()));
    launcher_.flush();
}

void SharedLaunch::finish()
{
    launch();
    if (!std::exchange(finished_, true)) {
        try {
            times_ = launcher_.finish();
        } catch (...) {
            error_ = std::current_exception();
        }
        for (StageTime& time : times_) time.time /= static_cast<double>(results_.size());
        spans_ = launcher_.take_spans();
    }
    if (error_) std::rethrow_exception(error_);
}

SharedPlace& SharedPlace::operator=(SharedPlace&& other) noexcept
{
    if (this != &other) {
        leave();
        launch_ = std::move(other.launch_);
    }
    return *this;
}

void SharedPlace::leave() noexcept
{
    if (!launch_) return;
    try {
        launch_->finish();
    } catch (...) {  // the image is given up, or its error has been reported
    }
    launch_ = nullptr;
}

}  // namespace clconv
