// SPDX-License-Identifier: Apache-2.0
// A moment of a queue, which other queues wait for.
#pragma once

#include "opencl/api.h"

#include <atomic>
#include <memory>
#include <utility>

namespace clconv {

/// When a queue has done what was enqueued before. A moment remembers that it has passed: some drivers take
/// microseconds to say so, which a small image would pay each time. Copies share that. Any thread may ask.
class Moment {
public:
    /// The distant past.
    Moment() = default;
    /// When `event`, of `queue`, is complete.
    Moment(cl::Event event, const cl::CommandQueue& queue) : state_(std::make_shared<State>(std::move(event), queue()))
    {
    }

    [[nodiscard]] bool has_passed() const
    {
        if (!state_ || state_->has_passed) return true;
        if (state_->event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE) return false;
        state_->has_passed = true;
        return true;
    }

    /// Whether commands of `queue` follow it anyway.
    [[nodiscard]] bool is_of(const cl::CommandQueue& queue) const { return !state_ || state_->queue == queue(); }

    void wait() const
    {
        if (!has_passed()) state_->event.wait();
    }

    /// The event; none for the distant past.
    [[nodiscard]] cl::Event event() const { return state_ ? state_->event : cl::Event(); }

private:
    struct State {
        State(cl::Event completed, cl_command_queue of) : event(std::move(completed)), queue(of) {}
        cl::Event event;
        cl_command_queue queue;
        std::atomic<bool> has_passed = false;
    };
    std::shared_ptr<State> state_;
};

}  // namespace clconv
