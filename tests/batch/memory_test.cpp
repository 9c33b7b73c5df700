// SPDX-License-Identifier: Apache-2.0
#include "batch/memory_budget.h"
#include "batch/memory_limits.h"
#include "batch/run_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace clconv {
namespace {

constexpr std::uint64_t kMega = 1U << 20U;

TEST(MemoryBudget, AdmitsInTheOrderOfTurnsWhateverTheSizes)
{
    MemoryBudget budget(10);
    std::vector<std::size_t> order;
    std::mutex mutex;
    {
        std::vector<std::jthread> threads;
        for (const std::size_t ticket : {3U, 1U, 4U, 2U, 0U})
            threads.emplace_back([&, ticket] {
                const MemoryBudget::Share share = budget.take(ticket, ticket == 2 ? 10 : 1);
                const std::lock_guard lock(mutex);
                order.push_back(ticket);
            });
    }
    ASSERT_EQ(order.size(), 5U);
    EXPECT_LT(std::ranges::find(order, 1U), std::ranges::find(order, 2U));
    EXPECT_LT(std::ranges::find(order, 2U), std::ranges::find(order, 4U)) << "the large one is not overtaken";
}

TEST(MemoryBudget, NeverGivesMoreThanItHas)
{
    MemoryBudget budget(10);
    std::atomic<int> held = 0;
    std::atomic<int> maximum = 0;
    std::vector<std::jthread> threads;
    for (std::size_t ticket = 0; ticket < 16; ++ticket)
        threads.emplace_back([&, ticket] {
            const MemoryBudget::Share share = budget.take(ticket, 4);
            const int now = held += 4;
            for (int known = maximum; now > known && !maximum.compare_exchange_weak(known, now);) {
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            held -= 4;
        });
    threads.clear();
    EXPECT_EQ(maximum, 8);
}

TEST(MemoryBudget, AdmitsWhatIsTooLargeAlone)
{
    MemoryBudget budget(10);
    MemoryBudget::Share first = budget.take(0, 1);
    std::atomic<bool> admitted = false;
    std::jthread large([&] { admitted = budget.take(1, 99) != nullptr; });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(admitted);
    first = nullptr;
    large.join();
    EXPECT_TRUE(admitted);
}

TEST(MemoryBudget, APassedTurnLetsTheNextOneIn)
{
    MemoryBudget budget(10);
    std::jthread later([&] { EXPECT_NE(budget.take(1, 1), nullptr); });
    budget.pass(0);
}

TEST(MemoryBudget, OfMoreBytesLetsMoreIn)
{
    MemoryBudget budget(10);
    const MemoryBudget::Share first = budget.take(0, 8);
    std::atomic<bool> is_in = false;
    std::jthread waiting([&] {
        EXPECT_NE(budget.take(1, 8), nullptr);
        is_in = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(is_in);
    budget.resize(16);
}

TEST(MemoryBudget, ClosingWakesWhoWaits)
{
    MemoryBudget budget(10);
    std::jthread waiting([&] { EXPECT_EQ(budget.take(7, 1), nullptr); });
    budget.close();
}

TEST(MemoryShares, ADeviceThatComputesInTheHostsMemoryGetsHalfOfWhatIsLeft)
{
    const MemoryShares cpu = share_memory(2048 * kMega, 128 * kMega, true);
    const MemoryShares gpu = share_memory(2048 * kMega, 128 * kMega, false);
    EXPECT_EQ(cpu.devices, cpu.images);
    EXPECT_EQ(gpu.devices, 0U);
    EXPECT_EQ(gpu.images, cpu.images + cpu.devices);
    EXPECT_LE(128 * kMega + gpu.images, 2048 * kMega);
}

TEST(MemoryShares, ALimitBelowWhatIsTakenAlreadyLeavesImagesOneByOne)
{
    const MemoryShares shares = share_memory(100 * kMega, 200 * kMega, true);
    EXPECT_EQ(shares.images, 0U);
    EXPECT_GT(shares.devices, 0U);
}

TEST(Memory, OfThisProcessIsLessThanThereIs)
{
    EXPECT_GT(resident_memory(), kMega);
    EXPECT_GT(available_memory(), kMega);
}

TEST(MemoryOfDevices, InAContainerIsAShareOfItsLimit)
{
    std::vector<DeviceInfo> devices(2);
    devices[0].traits.is_cpu = true;
    for (DeviceInfo& device : devices) device.traits.global_memory = 24 * 1024 * kMega;
    PreparedRun run;
    run.device_memory = kNoLimit;
    limit_memory(devices, run, std::nullopt);
    EXPECT_EQ(devices[0].traits.global_memory, 24 * 1024 * kMega);
    limit_memory(devices, run, 2048 * kMega);
    EXPECT_LE(devices[0].traits.global_memory, 1024 * kMega);
    EXPECT_EQ(devices[1].traits.global_memory, 24 * 1024 * kMega) << "a GPU's memory is its own";
    run.memory_limit = 512 * kMega;
    limit_memory(devices, run, 2048 * kMega);
    EXPECT_LE(devices[0].traits.global_memory, 256 * kMega);
}

}  // namespace
}  // namespace clconv
