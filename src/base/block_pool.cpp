#include "base/block_pool.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>
#include <utility>

namespace clconv {

struct BlockPool::State {
    const std::uint64_t limit;
    const Allocate allocate;
    std::mutex mutex = {};
    std::deque<Bytes> kept = {};  ///< the longest unused first
    std::uint64_t total = 0;      ///< bytes in use and kept

    /// A kept block of exactly this capacity; else an empty one, and room for a new one if giving up kept blocks makes
    /// it.
    Bytes reuse(std::size_t capacity, std::deque<Bytes>& given_up)
    {
        const std::lock_guard lock(mutex);
        const auto found =
            std::find_if(kept.rbegin(), kept.rend(), [&](const Bytes& block) { return block.size() == capacity; });
        if (found != kept.rend()) {
            Bytes block = std::move(*found);
            kept.erase(std::next(found).base());
            return block;
        }
        while (!kept.empty() && total + capacity > limit) {
            total -= kept.front().size();
            given_up.push_back(std::move(kept.front()));
            kept.pop_front();
        }
        total += capacity;
        return {};
    }

    Bytes make(std::size_t capacity)
    {
        try {
            return allocate(capacity);
        } catch (...) {
            const std::lock_guard lock(mutex);
            total -= capacity;
            throw;
        }
    }

    void keep(Bytes block)
    {
        const std::lock_guard lock(mutex);
        kept.push_back(std::move(block));
    }
};

BlockPool::BlockPool(std::uint64_t limit, Allocate allocate) : state_(new State{limit, std::move(allocate)}) {}

Bytes BlockPool::take(std::size_t size)
{
    const std::size_t capacity = capacity_for(size);
    std::deque<Bytes> given_up;
    Bytes block = state_->reuse(capacity, given_up);
    given_up.clear();
    if (block.size() == 0) block = state_->make(capacity);
    std::byte* const data = block.data();
    // std::function copies what it holds, and a block cannot be copied.
    auto owned = std::make_shared<Bytes>(std::move(block));
    return {data, size, [state = state_, owned](std::byte*) { state->keep(std::move(*owned)); }};
}

std::size_t BlockPool::capacity_for(std::size_t size)
{
    const std::size_t step = std::max(Bytes::kAlignment, std::bit_floor(size) / 8);
    return std::max<std::size_t>(1, (size + step - 1) / step) * step;
}

}  // namespace clconv
