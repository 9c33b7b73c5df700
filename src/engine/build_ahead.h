// SPDX-License-Identifier: Apache-2.0
// Programs built in parallel, before their images reach the device.
//
// For drivers whose compiler works in several processes at once (opencl/compilers.h): while the first image waits for
// its programs, those of the next images are built too. A caller that needs a program that is being built waits for it.
// Nothing here fails: a program that does not build fails where it is needed.
#pragma once

#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "passes/recipes.h"

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
    /// Starts no threads if the device gains nothing from them.
    BuildAhead(std::shared_ptr<Device> device, KernelSource kernels);
    /// Finishes the programs that are being built, and forgets the others.
    ~BuildAhead();
    BuildAhead(const BuildAhead&) = delete;
    BuildAhead& operator=(const BuildAhead&) = delete;

    [[nodiscard]] bool helps() const { return !threads_.empty(); }

    /// Builds the new programs that a problem needs, as soon as there are more than one plan needs. May be called by
    /// several threads. `programs` is called only for the first of equal problems, because a plan takes milliseconds
    /// and the readers of equal images would wait for one another.
    void expect(const Problem& problem, const std::function<std::vector<Recipe>()>& programs);

private:
    void work();

    std::shared_ptr<Device> device_;
    KernelSource kernels_;
    std::size_t enough_;  ///< programs that are enough to begin
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::string> problems_;  ///< program_key() of those that were planned
    std::set<std::string> known_;     ///< key() of the programs that were requested
    std::deque<Recipe> queue_;
    bool ending_ = false;
    std::vector<std::jthread> threads_;
};

}  // namespace clconv
