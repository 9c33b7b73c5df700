// SPDX-License-Identifier: Apache-2.0
// Several images in flight on one device.

#include "base/block_pool.h"
#include "base/errors.h"
#include "engine/prepared_plan.h"
#include "opencl/host_memory.h"
#include "support/convolution_case.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace clconv::test {
namespace {

using Samples = std::vector<std::byte>;

Samples copy_of(const Bytes& bytes) { return {bytes.data(), bytes.data() + bytes.size()}; }

/// The ways of a CPU, which works where the image lies, and of a GPU, which copies.
std::vector<std::shared_ptr<Device>> both_ways() { return {test_device(), small_device(32768, 256)}; }

/// Images of two sizes and types, in turn.
std::vector<RandomImage> some_images(unsigned count)
{
    std::vector<RandomImage> images;
    for (unsigned seed = 0; seed < count; ++seed)
        images.push_back(seed % 3 == 2 ? random_image({21, 34}, 1, SampleType::float32, seed)
                                       : random_image({40, 27}, 3, SampleType::u8, seed));
    return images;
}

std::vector<Samples> one_by_one(const std::shared_ptr<Device>& device, const std::vector<RandomImage>& images,
                                const std::shared_ptr<const Psf>& psf)
{
    Convolver convolver(device, KernelSource::embedded(), {}, {.frugal = true});
    std::vector<Samples> results;
    for (const RandomImage& image : images)
        results.push_back(copy_of(convolver.convolve(image.view, psf, image.view.type).samples));
    return results;
}

std::vector<Samples> streamed(Convolver& convolver, const std::vector<RandomImage>& images,
                              const std::shared_ptr<const Psf>& psf)
{
    std::vector<Samples> results;
    std::size_t in_flight = 0;
    const auto finish = [&] {
        results.push_back(copy_of(convolver.finish().samples));
        --in_flight;
    };
    for (const RandomImage& image : images) {
        if (in_flight == convolver.capacity()) finish();
        convolver.start(image.view, psf, image.view.type);
        ++in_flight;
    }
    while (in_flight > 0) finish();
    return results;
}

TEST(Stream, ResultsComeInOrderWithTheBytesTheyHaveAlone)
{
    const std::vector<RandomImage> images = some_images(11);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 7}, 1, {2, 3}, 99));
    for (const auto& device : both_ways()) {
        const std::vector<Samples> expected = one_by_one(device, images, psf);
        const BlockPool pool(1 << 20, huge_pages);
        pool.pin_with(pin_for(device));
        Convolver convolver(device, KernelSource::embedded(), {}, {allocate_from(pool)});
        EXPECT_GT(convolver.capacity(), 1u);
        EXPECT_TRUE(streamed(convolver, images, psf) == expected);
        EXPECT_TRUE(streamed(convolver, images, psf) == expected) << "when everything is prepared";
    }
}

TEST(Stream, ADeviceWithRoomForOneImageStillStreams)
{
    const std::vector<RandomImage> images = some_images(7);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 7}, 1, {2, 3}, 99));
    DeviceInfo info = small_device(32768, 256)->info();
    info.traits.global_memory = 1 << 19;
    const auto device = std::make_shared<Device>(info);
    Convolver convolver(device, KernelSource::embedded(), {});
    EXPECT_TRUE(streamed(convolver, images, psf) == one_by_one(device, images, psf));
}

TEST(Stream, AnImageThatDoesNotFitItsPsfDisturbsNoOther)
{
    const RandomImage image = random_image({30, 20}, 3, SampleType::u8, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 2));
    const auto two_channels = std::make_shared<const Psf>(random_psf({3, 3}, 2, {1, 1}, 3));
    Convolver convolver(test_device(), KernelSource::embedded(), {});
    const Samples expected = copy_of(convolver.convolve(image.view, psf, SampleType::u8).samples);
    convolver.start(image.view, psf, SampleType::u8);
    EXPECT_THROW(convolver.start(image.view, two_channels, SampleType::u8), InvalidProblem);
    EXPECT_EQ(copy_of(convolver.finish().samples), expected);
}

TEST(Stream, StagesAddUpToWhatTheClockSays)
{
    const RandomImage image = random_image({200, 150}, 3, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({9, 9}, 1, {4, 4}, 2));
    for (const auto& device : both_ways()) {
        Convolver convolver(device, KernelSource::embedded(), {});
        const auto share_in_stages = [&] {
            const auto began = std::chrono::steady_clock::now();
            Seconds sum{0};
            for (int i = 0; i < 3; ++i)
                for (const StageTime& time : convolver.convolve(image.view, psf, SampleType::float32).times)
                    sum += time.time;
            return sum / Seconds(std::chrono::steady_clock::now() - began);
        };
        // Passes are timed by the device's clock and may overlap the host's steps a little; a stage that is counted
        // twice is far more. What a busy machine adds between two stages is in none of them: it may try again.
        double share = share_in_stages();
        for (int i = 0; i < 10 && std::abs(share - 1) > 0.1; ++i) share = share_in_stages();
        EXPECT_NEAR(share, 1, 0.1);
    }
}

TEST(Overlap, GivesUpEnginesFirstThenSlotsAndNeverTheLast)
{
    const Problem problem{.image = {512, 512}, .channels = 1, .psf = {31, 31}, .origin = {15, 15}};
    const Plan plan = make_plan(problem, small_device(32768, 256)->info().traits);
    const auto chosen = [&](std::uint64_t memory) {
        const Overlap overlap = choose_overlap(plan, {3, 2}, memory);
        return std::pair(overlap.slots, overlap.computing);
    };
    EXPECT_EQ(chosen(device_bytes(plan, {3, 2})), std::pair(3, 2));
    EXPECT_EQ(chosen(device_bytes(plan, {3, 2}) - 1), std::pair(3, 1));
    EXPECT_EQ(chosen(device_bytes(plan, {3, 1}) - 1), std::pair(2, 1));
    EXPECT_EQ(chosen(0), std::pair(1, 1));
}

}  // namespace
}  // namespace clconv::test
