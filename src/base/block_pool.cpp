#include "base/block_pool.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>
#include <utility>

namespace clconv {

struct BlockPool::State {
    const std::uint64_t limit;
    std::shared_ptr<const Allocate> allocate;
    std::mutex mutex = {};
    std::deque<Bytes> kept = {};  ///< the longest unused first
    std::uint64_t total = 0;      ///< bytes in use and kept

    /// A kept block of exactly this capacity; else an empty one, and room for a new one if giving up kept blocks makes
    /// it.
    Bytes reuse(std::size_t capacity, std::shared_ptr<const Allocate>& maker, std::deque<Bytes>& given_up)
    {
        const std::lock_guard lock(mutex);
        maker = allocate;
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

    Bytes make(std::size_t capacity, const Allocate& maker)
    {
        try {
            return maker(capacity);
        } catch (...) {
            const std::lock_guard lock(mutex);
            total -= capacity;
            throw;
        }
    }

    /// Of a block that `maker` made.
    void take_back(Bytes block, const std::shared_ptr<const Allocate>& maker)
    {
        std::unique_lock lock(mutex);
        if (maker == allocate) return kept.push_back(std::move(block));
        total -= block.size();
        lock.unlock();  // before the block ends
    }
};

BlockPool::BlockPool(std::uint64_t limit, Allocate allocate)
    : state_(new State{limit, std::make_shared<const Allocate>(std::move(allocate))})
{
}

void BlockPool::make_with(Allocate allocate)
{
    std::deque<Bytes> given_up;
    const std::lock_guard lock(state_->mutex);
    state_->allocate = std::make_shared<const Allocate>(std::move(allocate));
    for (const Bytes& block : state_->kept) state_->total -= block.size();
    given_up.swap(state_->kept);
}

Bytes BlockPool::take(std::size_t size)
{
    const std::size_t capacity = capacity_for(size);
    std::shared_ptr<const Allocate> maker;
    std::deque<Bytes> given_up;
    Bytes block = state_->reuse(capacity, maker, given_up);
    given_up.clear();
    if (block.size() == 0) block = state_->make(capacity, *maker);
    std::byte* const data = block.data();
    // std::function copies what it holds, and a block cannot be copied.
    auto owned = std::make_shared<Bytes>(std::move(block));
    return {data, size, [state = state_, maker, owned](std::byte*) { state->take_back(std::move(*owned), maker); }};
}

std::size_t BlockPool::capacity_for(std::size_t size)
{
    const std::size_t step = std::max(Bytes::kAlignment, std::bit_floor(size) / 8);
    return std::max<std::size_t>(1, (size + step - 1) / step) * step;
}

}  // namespace clconv
