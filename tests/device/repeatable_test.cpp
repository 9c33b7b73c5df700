// SPDX-License-Identifier: Apache-2.0
// An image's bytes depend on nothing but image, PSF, settings and device.

#include "support/convolution_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace clconv::test {
namespace {

std::vector<std::byte> bytes_of_result(const Convolver::Output& output)
{
    return {output.samples.data(), output.samples.data() + output.samples.size()};
}

ConvolveSettings by_fft()
{
    ConvolveSettings settings;
    settings.decisions = with_method(Method::fft);
    return settings;
}

TEST(Repeatable, AnImageAfterOtherImagesHasTheBytesThatItHasAlone)
{
    const RandomImage image = random_image({33, 20}, 3, SampleType::float32, 1);
    const RandomImage brighter = random_image({33, 20}, 3, SampleType::float32, 2);
    const RandomImage smaller = random_image({12, 9}, 3, SampleType::float32, 3);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 7}, 1, {2, 2}, 4));
    const auto other_psf = std::make_shared<const Psf>(random_psf({5, 7}, 1, {2, 2}, 5));

    Convolver convolver(test_device(), KernelSource::embedded(), by_fft());
    const auto result = [&](const RandomImage& which, const std::shared_ptr<const Psf>& with) {
        return bytes_of_result(convolver.convolve(which.view, with, SampleType::float32));
    };
    const auto alone = result(image, psf);
    EXPECT_EQ(result(image, psf), alone);
    EXPECT_NE(result(brighter, psf), alone);
    EXPECT_EQ(result(image, psf), alone);
    EXPECT_NE(result(image, other_psf), alone);
    EXPECT_EQ(result(image, psf), alone);
    (void)result(smaller, psf);
    EXPECT_EQ(result(image, psf), alone);
}

/// Rows of a spectrum lie in pairs. Behind an odd last row is what an earlier image has left, which may be NaN.
TEST(Repeatable, NothingIsLeftOfAnImageWithoutFiniteSamples)
{
    const RandomImage image = random_image({33, 20}, 1, SampleType::float32, 1);
    RandomImage taller = random_image({33, 30}, 1, SampleType::float32, 2);
    std::fill_n(taller.samples.as<float>().data(), taller.view.extent.pixels(), NAN);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 8}, 1, {2, 2}, 3));  // 27 rows of the result
    for (const char* how : {"residence=global", "lanes=1", "lanes=8"}) {
        ConvolveSettings settings = by_fft();
        settings.mode = Mode::full;
        decide(settings.decisions, how);
        Convolver convolver(test_device(), KernelSource::embedded(), settings);
        const auto result = [&](const RandomImage& which) {
            return bytes_of_result(convolver.convolve(which.view, psf, SampleType::float32));
        };
        const auto alone = result(image);
        (void)result(taller);
        EXPECT_EQ(result(image), alone) << how;
    }
}

TEST(Repeatable, AnotherPsfAtTheSameAddressIsNotTakenForTheFirst)
{
    const RandomImage image = random_image({12, 9}, 1, SampleType::float32, 1);
    const auto first = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 2));
    Convolver convolver(test_device(), KernelSource::embedded(), by_fft());
    const auto expected = bytes_of_result(convolver.convolve(image.view, first, SampleType::float32));
    for (unsigned seed = 3; seed < 8; ++seed) {  // each gone before the next is made
        const auto psf = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, seed));
        EXPECT_NE(bytes_of_result(convolver.convolve(image.view, psf, SampleType::float32)), expected);
    }
}

TEST(Repeatable, ChannelsOneByOneHaveTheBytesOfAllAtOnce)
{
    const RandomImage image = random_image({133, 120}, 3, SampleType::float32, 1);
    for (const int psf_channels : {1, 3}) {
        const auto psf = std::make_shared<const Psf>(random_psf({5, 7}, psf_channels, {2, 2}, 2));
        Convolver all(test_device(), KernelSource::embedded(), by_fft());
        const Problem problem = problem_of(image.view, *psf, by_fft(), SampleType::float32);
        const Plan plan = make_plan(problem, all.device().info().traits, by_fft().decisions);
        ASSERT_EQ(plan.fft().planes, 3);

        DeviceInfo info = test_device_info();
        info.traits.max_allocation = plan.fft().spectrum.cells() * 3 * 8 - 1;
        Convolver one(std::make_shared<Device>(info), KernelSource::embedded(), by_fft());
        if (psf_channels == 3 && plan.fft().transfer_cells() * 3 * 8 > info.traits.max_allocation) continue;
        ASSERT_EQ(make_plan(problem, info.traits, by_fft().decisions).fft().planes, 1);
        EXPECT_EQ(bytes_of_result(one.convolve(image.view, psf, SampleType::float32)),
                  bytes_of_result(all.convolve(image.view, psf, SampleType::float32)));
    }
}

TEST(Repeatable, SizesAndPsfsThatAlternateAreMadeReadyOnce)
{
    const RandomImage landscape = random_image({40, 30}, 1, SampleType::float32, 1);
    const RandomImage portrait = random_image({30, 40}, 1, SampleType::float32, 2);
    const auto small = std::make_shared<const Psf>(random_psf({3, 3}, 1, {1, 1}, 3));
    const auto large = std::make_shared<const Psf>(random_psf({9, 9}, 1, {4, 4}, 4));
    Convolver convolver(test_device(), KernelSource::embedded(), by_fft());
    for (const bool again : {false, true})
        for (const RandomImage* image : {&landscape, &portrait})
            for (const auto& psf : {small, large})
                for (const StageTime& time : convolver.convolve(image->view, psf, SampleType::float32).times)
                    for (const std::string_view stage : {"build", "prepare", "psf rows"})
                        EXPECT_FALSE(again && time.stage == stage) << stage;
}

}  // namespace
}  // namespace clconv::test
