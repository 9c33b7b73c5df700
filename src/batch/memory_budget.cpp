// SPDX-License-Identifier: Apache-2.0
#include "batch/memory_budget.h"

namespace clconv {

bool MemoryBudget::wait_for(std::unique_lock<std::mutex>& lock, std::size_t ticket, std::uint64_t bytes)
{
    changed_.wait(lock, [&] {
        return closed_ || (next_ticket_ == ticket && (bytes == 0 || held_ == 0 || held_ + bytes <= bytes_));
    });
    if (closed_) return false;
    ++next_ticket_;
    held_ += bytes;
    changed_.notify_all();
    return true;
}

MemoryBudget::Share MemoryBudget::take(std::size_t ticket, std::uint64_t bytes)
{
    std::unique_lock lock(mutex_);
    if (!wait_for(lock, ticket, bytes)) return nullptr;
    return {this, [this, bytes](const void*) { give_back(bytes); }};
}

void MemoryBudget::pass(std::size_t ticket)
{
    std::unique_lock lock(mutex_);
    static_cast<void>(wait_for(lock, ticket, 0));
}

void MemoryBudget::give_back(std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    held_ -= bytes;
    changed_.notify_all();
}

void MemoryBudget::resize(std::uint64_t bytes)
{
    const std::lock_guard lock(mutex_);
    bytes_ = bytes;
    changed_.notify_all();
}

void MemoryBudget::close()
{
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
}

}  // namespace clconv
