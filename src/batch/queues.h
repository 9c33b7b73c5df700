// The queues between the pipeline's threads. Both are bounded, so that memory is.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace clconv {

/// Hands the results of several producers to one consumer in the order of their numbers 0 .. count-1.
///
/// A producer claims the next number before it works on it, and must put() what it claimed. At most `capacity`
/// numbers are claimed and not yet popped, so that many results exist at a time.
template <class T>
class OrderedQueue {
public:
    OrderedQueue(std::size_t count, std::size_t capacity) : count_(count), capacity_(capacity) {}

    /// The next number, once there is room for its result. None: all are claimed, or the queue is closed.
    std::optional<std::size_t> claim()
    {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [&] { return closed_ || claimed_ == count_ || claimed_ - popped_ < capacity_; });
        if (closed_ || claimed_ == count_) return std::nullopt;
        return claimed_++;
    }

    void put(std::size_t number, T result)
    {
        const std::lock_guard lock(mutex_);
        results_.emplace(number, std::move(result));
        ready_.notify_one();
    }

    /// The next result in order, once it is there. None: all were popped, or the queue is closed.
    std::optional<T> pop()
    {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return closed_ || popped_ == count_ || results_.contains(popped_); });
        if (closed_ || popped_ == count_) return std::nullopt;
        T result = std::move(results_.extract(popped_++).mapped());
        room_.notify_all();
        return result;
    }

    /// Ends the queue: nobody waits any longer, and what is in it is dropped.
    void close()
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        results_.clear();
        room_.notify_all();
        ready_.notify_all();
    }

private:
    const std::size_t count_;
    const std::size_t capacity_;
    std::mutex mutex_;
    std::condition_variable room_;
    std::condition_variable ready_;
    std::map<std::size_t, T> results_;
    std::size_t claimed_ = 0;
    std::size_t popped_ = 0;
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

    /// None: the queue is finished and empty.
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

    /// Nothing more will be pushed; what is in the queue can still be popped.
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
