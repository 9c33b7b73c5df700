// Blocks of host memory that are used again and again: fresh pages, and pinning them, cost more than copying an image.
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace clconv {

/// Gives host memory, uninitialised. May wait; throws std::bad_alloc.
using Allocate = std::function<Bytes(std::size_t size)>;

/// Makes copies from and to a block fast, for as long as what it returns exists. Null: they stay as they are.
using Pin = std::function<std::shared_ptr<void>(std::byte* data, std::size_t size)>;

/// Keeps the blocks that come back, as long as they are no more than those in use, and gives them out again to who
/// wants as much. Copies are the same pool. Thread-safe.
class BlockPool {
public:
    /// `limit`: bytes of all blocks, in use or kept, as far as it is the pool's to choose: kept blocks are given up
    /// rather than that a new one exceeds it. `allocate` makes the blocks.
    BlockPool(std::uint64_t limit, Allocate allocate);

    /// From now on every block is pinned once, before it is given out. Those in use already: see pin().
    void pin_with(Pin pin) const;

    /// A block of `size` bytes. It comes back to the pool at its end, and may outlive it.
    [[nodiscard]] Bytes take(std::size_t size) const;

    /// Pins the block in use that begins at `data`. Does nothing if that is none of the pool's, or is pinned already.
    void pin(const std::byte* data) const;

    /// Memory of a block of `size` bytes: rounded up by at most an eighth, so that sizes that differ little share.
    [[nodiscard]] static std::size_t capacity_for(std::size_t size);

private:
    struct Block;
    struct State;
    std::shared_ptr<State> state_;
};

/// Blocks of the pool.
[[nodiscard]] Allocate allocate_from(const BlockPool& pool);

}  // namespace clconv
