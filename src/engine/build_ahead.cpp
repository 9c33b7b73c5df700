// SPDX-License-Identifier: Apache-2.0
#include "engine/build_ahead.h"

#include "base/errors.h"
#include "opencl/program.h"

#include <utility>

namespace clconv {
namespace {

/// This process builds that many programs before another process has opened the device. So other processes start only
/// for more programs, unless the user requests them.
constexpr std::size_t kWithoutHelp = 3;

}  // namespace

BuildAhead::BuildAhead(std::shared_ptr<Device> device, KernelSource kernels)
    : device_(std::move(device)),
      kernels_(std::move(kernels)),
      enough_(compiler_processes_are_requested() ? 1 : kWithoutHelp + 1)
{
    const std::size_t maximum = device_->parallel_builds();
    for (std::size_t i = 0; maximum > 1 && i < maximum; ++i) threads_.emplace_back([this] { work(); });
}

BuildAhead::~BuildAhead()
{
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
}

void BuildAhead::expect(const Problem& problem, const std::function<std::vector<Recipe>()>& programs)
{
    if (!helps()) return;
    {
        const std::lock_guard lock(mutex_);
        if (!problems_.insert(program_key(problem)).second) return;
    }
    std::vector<Recipe> recipes = programs();
    {
        const std::lock_guard lock(mutex_);
        for (Recipe& recipe : recipes)
            if (known_.insert(recipe.key()).second) queue_.push_back(std::move(recipe));
    }
    changed_.notify_all();
}

void BuildAhead::work()
{
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ending_ || (!queue_.empty() && known_.size() >= enough_); });
        if (ending_) return;
        const Recipe recipe = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        try {
            (void)build(*device_, kernels_, recipe);
        } catch (const std::exception&) {  // reported to the caller that needs the program
        }
    }
}

}  // namespace clconv
