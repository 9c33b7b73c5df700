// SPDX-License-Identifier: Apache-2.0
#include "base/block_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace clconv::test {
namespace {

/// Counts what exists.
struct Counted {
    std::uint64_t made = 0;
    std::uint64_t bytes = 0;

    Allocate allocate()
    {
        return [this](std::size_t size) {
            ++made;
            bytes += size;
            auto block = std::make_shared<Bytes>(size);
            return Bytes(block->data(), size, [this, block, size](std::byte*) { bytes -= size; });
        };
    }
};

TEST(BlockPool, GivesABlockAgainOnceItCameBack)
{
    Counted counted;
    BlockPool pool(1 << 20, counted.allocate());
    for (int i = 0; i < 10; ++i) {
        const Bytes block = pool.take(10'000);
        EXPECT_EQ(block.size(), 10'000u);
    }
    EXPECT_EQ(counted.made, 1u);
}

TEST(BlockPool, GivesALargerBlockAgainIfItIsAtMostTwiceAsLarge)
{
    Counted counted;
    const BlockPool pool(1 << 20, counted.allocate());
    const Bytes in_use = pool.take(100'000);  // so that others are kept
    const std::byte* large = nullptr;
    {
        const Bytes block = pool.take(40'960);
        large = block.data();
    }
    EXPECT_EQ(pool.take(20'480).data(), large);
    EXPECT_EQ(counted.made, 2u);
    EXPECT_NE(pool.take(16'384).data(), large) << "more than half of it would be wasted";
    EXPECT_NE(pool.take(45'056).data(), large) << "it is too small";
}

TEST(BlockPool, GivesTheSmallestBlockThatFits)
{
    Counted counted;
    const BlockPool pool(1 << 20, counted.allocate());
    const Bytes in_use = pool.take(100'000);
    std::optional<Bytes> blocks[] = {pool.take(40'960), pool.take(28'672), pool.take(36'864)};
    const std::byte* const smallest = blocks[1]->data();
    for (auto& block : blocks) block.reset();
    EXPECT_EQ(pool.take(24'576).data(), smallest);
}

TEST(BlockPool, WastesNothingWhereMemoryIsScarce)
{
    Counted counted;
    const BlockPool pool(200'000, counted.allocate());
    const Bytes in_use = pool.take(100'000);
    const std::byte* large = nullptr;
    {
        const Bytes block = pool.take(40'960);
        large = block.data();
    }
    EXPECT_NE(pool.take(24'576).data(), large);
    EXPECT_EQ(pool.take(40'960).data(), large);
}

TEST(BlockPool, NeverGivesOneBlockTwiceAtATime)
{
    Counted counted;
    BlockPool pool(1 << 20, counted.allocate());
    const Bytes first = pool.take(5000);
    const Bytes second = pool.take(5000);
    EXPECT_NE(first.data(), second.data());
}

TEST(BlockPool, GivesUpKeptBlocksRatherThanExceedItsLimit)
{
    Counted counted;
    BlockPool pool(100'000, counted.allocate());
    for (const std::size_t size : {20'000u, 30'000u, 40'000u, 50'000u, 60'000u, 70'000u, 80'000u}) {
        const Bytes block = pool.take(size);
        EXPECT_LE(counted.bytes, 100'000u) << size;
    }
}

TEST(BlockPool, GivesWhatIsInUseBeyondItsLimit)
{
    Counted counted;
    BlockPool pool(10'000, counted.allocate());
    const Bytes first = pool.take(8000);
    const Bytes second = pool.take(8000);
    EXPECT_EQ(counted.made, 2u);
}

TEST(BlockPool, CapacitiesAreWholePagesAndAtMostAnEighthMore)
{
    for (const std::size_t size : {1u, 4096u, 4097u, 100'000u, 6'220'800u, 24'883'200u, 99'532'800u}) {
        const std::size_t capacity = BlockPool::capacity_for(size);
        EXPECT_GE(capacity, size);
        EXPECT_EQ(capacity % Bytes::kAlignment, 0u);
        EXPECT_LE(capacity, size + std::max(Bytes::kAlignment, size / 8)) << size;
        EXPECT_EQ(BlockPool::capacity_for(capacity), capacity) << "a kept block fits the size that it was made for";
    }
}

TEST(BlockPool, BlocksMayOutliveIt)
{
    Counted counted;
    std::optional<BlockPool> pool(std::in_place, 1 << 20, counted.allocate());
    {
        Bytes block = pool->take(64);
        pool.reset();
        block.as<std::uint8_t>()[63] = 7;
    }
    EXPECT_EQ(counted.bytes, 0u);
}

TEST(BlockPool, KeepsNoMoreThanIsInUse)
{
    Counted counted;
    const BlockPool pool(100'000, counted.allocate());  // of which it always keeps an eighth
    const std::uint64_t one = BlockPool::capacity_for(5000);
    std::vector<Bytes> blocks(10);
    for (Bytes& block : blocks) block = pool.take(5000);
    EXPECT_EQ(counted.bytes, 10 * one);
    blocks.resize(5);
    EXPECT_EQ(counted.bytes, 10 * one) << "half of them are in use";
    blocks.resize(2);
    EXPECT_LE(counted.bytes, 5 * one);
    for (int i = 0; i < 3; ++i) const Bytes block = pool.take(5000);
    EXPECT_EQ(counted.made, 10u);
}

/// Counts the pins that exist.
struct Pins {
    int made = 0;
    int exist = 0;
    Pin pin()
    {
        return [this](std::byte* data, std::size_t size) {
            ++made;
            ++exist;
            std::memset(data, made, size);  // it is all there
            return std::shared_ptr<void>(nullptr, [this](void*) { --exist; });
        };
    }
};

TEST(BlockPool, PinsEveryBlockOnceBeforeItIsGivenOut)
{
    Pins pins;
    {
        const BlockPool pool(1 << 20, [](std::size_t size) { return Bytes(size); });
        for (int i = 0; i < 3; ++i) const Bytes block = pool.take(5000);
        EXPECT_EQ(pins.made, 0);
        pool.pin_with(pins.pin());
        for (int i = 0; i < 3; ++i) const Bytes block = pool.take(5000);
        EXPECT_EQ(pins.made, 1) << "one that was kept";
        const Bytes first = pool.take(5000);
        const Bytes second = pool.take(5000);
        EXPECT_EQ(pins.made, 2) << "and a new one";
        EXPECT_EQ(pins.exist, 2);
    }
    EXPECT_EQ(pins.exist, 0) << "the pin ends with its block";
}

TEST(BlockPool, PinsBlocksInUseOnRequest)
{
    Pins pins;
    const BlockPool pool(1 << 20, [](std::size_t size) { return Bytes(size); });
    Bytes early = pool.take(5000);
    pool.pin(early.data());
    EXPECT_EQ(pins.made, 0) << "nothing pins yet";
    pool.pin_with(pins.pin());
    const Bytes strange(5000);
    pool.pin(strange.data());
    pool.pin(nullptr);
    EXPECT_EQ(pins.made, 0);
    for (int i = 0; i < 2; ++i) pool.pin(early.data());
    EXPECT_EQ(pins.made, 1);
    early = {};
    early = pool.take(5000);
    EXPECT_EQ(pins.made, 1) << "it is pinned still";
}

TEST(BlockPool, ABlockThatCannotBePinnedIsABlock)
{
    int requested = 0;
    const BlockPool pool(1 << 20, [](std::size_t size) { return Bytes(size); });
    pool.pin_with([&](std::byte*, std::size_t) {
        ++requested;
        return nullptr;
    });
    for (int i = 0; i < 3; ++i) EXPECT_EQ(pool.take(5000).size(), 5000u);
    EXPECT_EQ(requested, 1);
}

TEST(BlockPool, AFailedAllocationLeavesItUsable)
{
    bool fail = true;
    BlockPool pool(1 << 20, [&](std::size_t size) -> Bytes {
        if (fail) throw std::bad_alloc();
        return Bytes(size);
    });
    EXPECT_THROW((void)pool.take(100), std::bad_alloc);
    fail = false;
    EXPECT_EQ(pool.take(100).size(), 100u);
}

TEST(BlockPool, ServesThreadsAtOnce)
{
    BlockPool pool(1 << 20, [](std::size_t size) { return Bytes(size); });
    std::vector<std::jthread> threads;
    for (std::uint8_t id = 0; id < 4; ++id)
        threads.emplace_back([&pool, id] {
            for (int i = 0; i < 500; ++i) {
                Bytes block = pool.take(1000u * (1 + static_cast<std::size_t>(i) % 3));
                for (std::uint8_t& byte : block.as<std::uint8_t>()) byte = id;
                for (const std::uint8_t byte : block.as<std::uint8_t>()) ASSERT_EQ(byte, id);
            }
        });
}

}  // namespace
}  // namespace clconv::test
