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

/// Keeps the blocks that come back and gives them out again to who wants as much. Thread-safe.
class BlockPool {
public:
    /// `limit`: bytes of all blocks, in use or kept, as far as it is the pool's to choose: kept blocks are given up
    /// rather than that a new one exceeds it. `allocate` makes the blocks.
    BlockPool(std::uint64_t limit, Allocate allocate);

    /// From now on `allocate` makes the blocks; those made before are not kept any more.
    void make_with(Allocate allocate);

    /// A block of `size` bytes. It comes back to the pool at its end, and may outlive it.
    [[nodiscard]] Bytes take(std::size_t size);

    /// Memory of a block of `size` bytes: rounded up by at most an eighth, so that sizes that differ little share.
    [[nodiscard]] static std::size_t capacity_for(std::size_t size);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace clconv
