// Programs built side by side, before their images come to the device.
//
// For drivers whose compiler works in several processes at once (opencl/compilers.h): while the first image waits for
// its programs, those of the images behind it are built too. Who asks for one that is under way waits for it. Nothing
// here fails: what does not build fails where it is asked for.
#pragma once

#include "engine/recipes.h"
#include "opencl/device.h"
#include "opencl/kernel_source.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace clconv {

class BuildAhead {
public:
    /// No threads where the device gains nothing from them.
    BuildAhead(std::shared_ptr<Device> device, KernelSource kernels);
    /// Ends with the programs that are being built; forgets the others.
    ~BuildAhead();
    BuildAhead(const BuildAhead&) = delete;
    BuildAhead& operator=(const BuildAhead&) = delete;

    [[nodiscard]] bool helps() const { return !threads_.empty(); }

    /// Begins with the programs that a problem needs and that were not asked for before, once they are more than one
    /// plan's. May be called by several threads. `plan` is called for the first of equal problems only: a plan takes
    /// milliseconds, for which the readers of equal images would wait for one another.
    void expect(const Problem& problem, const std::function<Plan()>& plan);

private:
    void work();

    std::shared_ptr<Device> device_;
    KernelSource kernels_;
    std::size_t enough_;  ///< programs to begin with
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::string> problems_;  ///< token() of those that were planned
    std::set<std::string> known_;     ///< key() of the programs that were asked for
    std::deque<Recipe> queue_;
    bool ending_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace clconv
