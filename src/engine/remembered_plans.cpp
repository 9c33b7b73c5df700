// SPDX-License-Identifier: Apache-2.0
#include "engine/remembered_plans.h"

#include "base/errors.h"
#include "conv/problem.h"

#include <cstddef>
#include <deque>
#include <exception>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace clconv {
namespace {

/// A limit above the number of images that readers are ahead of a device.
constexpr std::size_t kMaxPlans = 256;

class Remembered {
public:
    explicit Remembered(PlanSource source) : source_(std::move(source)) {}

    ChosenPlan plan(const Problem& problem, const DeviceInfo& device, const Decisions& forced)
    {
        std::promise<ChosenPlan> promise;
        const auto [answer, is_mine] = known(program_key(problem), promise.get_future().share());
        if (is_mine) {
            try {
                promise.set_value(source_(problem, device, forced));
            } catch (const InvalidProblem&) {
                promise.set_exception(std::current_exception());
            } catch (...) {  // which may pass: a device that was lost, memory that was short
                forget(program_key(problem));
                promise.set_exception(std::current_exception());
            }
        }
        return answer.get();
    }

private:
    using Answer = std::shared_future<ChosenPlan>;

    /// The future plan of this problem. True if it is `mine`, because no thread has requested it before.
    std::pair<Answer, bool> known(const std::string& key, const Answer& mine)
    {
        const std::lock_guard lock(mutex_);
        const auto [found, is_mine] = answers_.try_emplace(key, mine);
        const Answer answer = found->second;
        if (is_mine) order_.push_back(key);
        if (order_.size() > kMaxPlans) {
            answers_.erase(order_.front());
            order_.pop_front();
        }
        return {answer, is_mine};
    }

    void forget(const std::string& key)
    {
        const std::lock_guard lock(mutex_);
        answers_.erase(key);
        std::erase(order_, key);
    }

    PlanSource source_;
    std::mutex mutex_;
    std::map<std::string, Answer> answers_;  ///< by program_key()
    std::deque<std::string> order_;          ///< the oldest first
};

}  // namespace

PlanSource remembered(PlanSource source)
{
    return [memory = std::make_shared<Remembered>(std::move(source))](const Problem& problem, const DeviceInfo& device,
                                                                      const Decisions& forced) {
        return memory->plan(problem, device, forced);
    };
}

}  // namespace clconv
