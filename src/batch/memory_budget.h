// SPDX-License-Identifier: Apache-2.0
// Bounds the host memory of the images that are in flight.
//
// Images are admitted strictly in the order of their numbers. So an image that waits never holds memory that another
// waits for, whatever the sizes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace clconv {

class MemoryBudget {
public:
    explicit MemoryBudget(std::uint64_t bytes) : bytes_(bytes) {}

    /// A part of the budget. It is returned when the last holder releases it. The budget must outlive it.
    using Share = std::shared_ptr<const void>;

    /// Waits until every ticket before `ticket` was taken or passed, and until `bytes` fit or nobody holds anything. So
    /// an image larger than the whole budget is admitted alone. Null if the budget was closed.
    [[nodiscard]] Share take(std::size_t ticket, std::uint64_t bytes);

    /// Skips `ticket`, which takes nothing.
    void pass(std::size_t ticket);

    /// From now on the budget has `bytes`. Shares that were taken stay valid.
    void resize(std::uint64_t bytes);

    /// Ends all waiting.
    void close();

private:
    bool wait_for(std::unique_lock<std::mutex>& lock, std::size_t ticket, std::uint64_t bytes);
    void give_back(std::uint64_t bytes);

    std::uint64_t bytes_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t held_ = 0;
    std::size_t next_ticket_ = 0;
    bool closed_ = false;
};

}  // namespace clconv
