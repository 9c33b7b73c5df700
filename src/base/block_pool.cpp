// SPDX-License-Identifier: Apache-2.0
#include "base/block_pool.h"

#include "base/ceil_div.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace clconv {

namespace {

/// So many bytes may be kept whatever is in use. Sizes that vary would otherwise free blocks that the next image needs.
constexpr std::uint64_t kAlwaysKept = std::uint64_t{64} << 20U;

}  // namespace

struct BlockPool::Block {
    explicit Block(Bytes block) : memory(std::move(block)) {}

    Bytes memory;
    std::once_flag once = {};
    std::shared_ptr<void> pinned = {};  ///< after the memory: ends before it

    void pin_once(const Pin& pin)
    {
        std::call_once(once, [&] { pinned = pin(memory.data(), memory.size()); });
    }
};

struct BlockPool::State {
    using Blocks = std::deque<std::shared_ptr<Block>>;

    const std::uint64_t limit;
    const Allocate allocate;
    const std::uint64_t always_kept = std::min(kAlwaysKept, limit / 8);
    std::mutex mutex = {};
    std::shared_ptr<const Pin> pin = {};
    std::map<const std::byte*, std::shared_ptr<Block>> used = {};
    Blocks kept = {};  ///< oldest first
    std::uint64_t used_bytes = 0;
    std::uint64_t kept_bytes = 0;

    /// Removes kept blocks, the oldest first, until `enough` holds. The caller frees them without the lock.
    template <class Condition>
    Blocks give_up_until(const Condition& enough)
    {
        Blocks given_up;
        while (!kept.empty() && !enough()) {
            kept_bytes -= kept.front()->memory.size();
            given_up.push_back(std::move(kept.front()));
            kept.pop_front();
        }
        return given_up;
    }

    /// The smallest kept block that holds `capacity` and is not too large; of equal ones the last that came back.
    Blocks::iterator fitting(std::size_t capacity)
    {
        const bool is_plenty = used_bytes + 2 * capacity <= limit / 2;
        const std::size_t maximum = is_plenty ? 2 * capacity : capacity;
        auto best = kept.end();
        for (auto block = kept.begin(); block != kept.end(); ++block) {
            const std::size_t size = (*block)->memory.size();
            const bool fits = size >= capacity && size <= maximum;
            if (fits && (best == kept.end() || size <= (*best)->memory.size())) best = block;
        }
        return best;
    }

    /// A kept block. If none fits, frees kept blocks where that makes room for a new one.
    std::shared_ptr<Block> reuse(std::size_t capacity)
    {
        Blocks given_up;
        const std::lock_guard lock(mutex);
        if (const auto found = fitting(capacity); found != kept.end()) {
            std::shared_ptr<Block> block = std::move(*found);
            kept.erase(found);
            kept_bytes -= block->memory.size();
            used_bytes += block->memory.size();
            return block;
        }
        given_up = give_up_until([&] { return used_bytes + kept_bytes + capacity <= limit; });
        used_bytes += capacity;
        return nullptr;
    }

    std::shared_ptr<Block> make(std::size_t capacity)
    {
        try {
            return std::make_shared<Block>(allocate(capacity));
        } catch (...) {
            const std::lock_guard lock(mutex);
            used_bytes -= capacity;
            throw;
        }
    }

    void take_back(const std::byte* data)
    {
        Blocks given_up;
        const std::lock_guard lock(mutex);
        const auto found = used.find(data);
        kept.push_back(std::move(found->second));
        used.erase(found);
        const std::size_t size = kept.back()->memory.size();
        kept_bytes += size;
        given_up = give_up_until([&] { return kept_bytes <= std::max(used_bytes, always_kept); });
        used_bytes -= size;
    }
};

BlockPool::BlockPool(std::uint64_t limit, Allocate allocate) : state_(new State{limit, std::move(allocate)}) {}

void BlockPool::pin_with(Pin pin) const
{
    const std::lock_guard lock(state_->mutex);
    state_->pin = std::make_shared<const Pin>(std::move(pin));
}

Bytes BlockPool::take(std::size_t size) const
{
    const std::size_t capacity = capacity_for(size);
    std::shared_ptr<Block> block = state_->reuse(capacity);
    if (!block) block = state_->make(capacity);
    std::byte* const data = block->memory.data();
    {
        const std::lock_guard lock(state_->mutex);
        state_->used.emplace(data, std::move(block));
    }
    Bytes taken(data, size, [state = state_](const std::byte* used) { state->take_back(used); });
    pin(data);
    return taken;
}

void BlockPool::pin(const std::byte* data) const
{
    std::shared_ptr<Block> block;
    std::shared_ptr<const Pin> pin;
    {
        const std::lock_guard lock(state_->mutex);
        const auto found = state_->used.find(data);
        if (found == state_->used.end() || !state_->pin) return;
        block = found->second;
        pin = state_->pin;
    }
    block->pin_once(*pin);
}

Allocate allocate_from(const BlockPool& pool)
{
    return [pool](std::size_t size) { return pool.take(size); };
}

std::size_t BlockPool::capacity_for(std::size_t size)
{
    const std::size_t step = std::max(Bytes::kAlignment, std::bit_floor(size) / 8);
    return rounded_up(std::max<std::size_t>(size, 1), step);
}

}  // namespace clconv
