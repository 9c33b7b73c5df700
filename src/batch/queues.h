// SPDX-License-Identifier: Apache-2.0
// The queues between the pipeline's threads. Both are bounded, and so is their memory.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace clconv {

/// Passes values of several producers to several consumers, in the order of the numbers 0 .. count-1.
///
/// A producer claims the next number before it works on it, and must then put() one or several values for it. At most
/// `capacity` numbers are claimed and not yet used up, which bounds the values that exist at a time.
template <class T>
class OrderedQueue {
public:
    OrderedQueue(std::size_t count, std::size_t capacity)
        : count_(count), capacity_(capacity), lasting_capacity_(capacity)
    {
    }

    /// Reduces the capacity to `capacity`: at once to the number of claimed ones, then by one for every second number
    /// that is used up. So producers that are far ahead continue at half the pace of consumers.
    void sink_to(std::size_t capacity)
    {
        const std::lock_guard lock(mutex_);
        lasting_capacity_ = std::min(capacity, capacity_);
        capacity_ = std::clamp(claimed_ - popped_, lasting_capacity_, capacity_);
    }

    /// Waits for room, and returns the next number. None if all are claimed, or the queue is closed.
    std::optional<std::size_t> claim()
    {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return closed_ || claimed_ == count_ || claimed_ - popped_ < capacity_; });
        if (closed_ || claimed_ == count_) return std::nullopt;
        return claimed_++;
    }

    /// `values`: at least one.
    void put(std::size_t number, std::deque<T> values)
    {
        const std::lock_guard lock(mutex_);
        values_.emplace(number, std::move(values));
        ready_.notify_all();
    }

    /// Waits for the next value in order. None if all were popped, or the queue is closed.
    std::optional<T> pop()
    {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return is_over() || values_.contains(popped_); });
        return next();
    }

    /// The next value in order, if it is already there.
    std::optional<T> try_pop()
    {
        const std::lock_guard lock(mutex_);
        return next();
    }

    /// Ends the queue: all waiting ends, and its values are dropped.
    void close()
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        values_.clear();
        room_.notify_all();
        ready_.notify_all();
    }

private:
    [[nodiscard]] bool is_over() const { return closed_ || popped_ == count_; }

    std::optional<T> next()
    {
        const auto found = values_.find(popped_);
        if (is_over() || found == values_.end()) return std::nullopt;
        T value = std::move(found->second.front());
        found->second.pop_front();
        if (found->second.empty()) {
            values_.erase(found);
            ++popped_;
            if (capacity_ > lasting_capacity_ && popped_ % 2 == 0) --capacity_;
            room_.notify_all();
            if (is_over()) ready_.notify_all();
        }
        return value;
    }

    const std::size_t count_;
    std::size_t capacity_;
    std::size_t lasting_capacity_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable ready_;
    std::map<std::size_t, std::deque<T>> values_;
    std::size_t claimed_ = 0;
    std::size_t popped_ = 0;  ///< numbers whose values were all popped
    bool closed_ = false;
};

/// First in, first out; a producer waits while `capacity` values are in it.
template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    void push(T value)
    {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return values_.size() < capacity_; });
        values_.push_back(std::move(value));
        ready_.notify_one();
    }

    /// None if the queue is finished and empty.
    std::optional<T> pop()
    {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return finished_ || !values_.empty(); });
        if (values_.empty()) return std::nullopt;
        T value = std::move(values_.front());
        values_.pop_front();
        room_.notify_one();
        return value;
    }

    /// Nothing more will be pushed. Values in the queue can still be popped.
    void finish()
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
        ready_.notify_all();
    }

private:
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable ready_;
    std::deque<T> values_;
    bool finished_ = false;
};

}  // namespace clconv
