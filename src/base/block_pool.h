// SPDX-License-Identifier: Apache-2.0
// Blocks of host memory that are reused: fresh pages, and pinning them, cost more than copying an image
// (docs/decisions/025-reading-ahead-and-pinned-blocks.md).
#pragma once

#include "base/bytes.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace clconv {

/// Returns uninitialised host memory. May wait; throws std::bad_alloc.
using Allocate = std::function<Bytes(std::size_t size)>;

/// Pins a block: copies from and to it are fast while the returned object exists. Null: the block is not pinned.
using Pin = std::function<std::shared_ptr<void>(std::byte* data, std::size_t size)>;

/// Keeps returned blocks for the next requests, at most as many bytes as are in use or 64 MiB. A block may be twice as
/// large as its request if memory is plenty, because images vary in size. Copies share one pool. Thread-safe.
class BlockPool {
public:
    /// `limit`: bytes of all blocks, in use or kept. Kept blocks are freed before a new one exceeds it; blocks in use
    /// may exceed it. `allocate` makes the blocks.
    BlockPool(std::uint64_t limit, Allocate allocate);

    /// From now on, every block is pinned once, before it is handed out. For blocks in use already, see pin().
    void pin_with(Pin pin) const;

    /// A block of `size` bytes. When it is destroyed, its memory returns to the pool. It may outlive the pool.
    [[nodiscard]] Bytes take(std::size_t size) const;

    /// Pins the block in use that begins at `data`. Does nothing if the block is not the pool's, or is already pinned.
    void pin(const std::byte* data) const;

    /// Capacity of a block of `size` bytes: rounded up by at most an eighth, so that similar sizes share blocks.
    [[nodiscard]] static std::size_t capacity_for(std::size_t size);

private:
    struct Block;
    struct State;
    std::shared_ptr<State> state_;
};

/// Allocates blocks of the pool.
[[nodiscard]] Allocate allocate_from(const BlockPool& pool);

}  // namespace clconv
