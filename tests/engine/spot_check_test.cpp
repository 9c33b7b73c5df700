// SPDX-License-Identifier: Apache-2.0
// The errors that a check of some points finds, and results that it must accept.

#include "engine/spot_check.h"

#include "conv/direct_reference.h"
#include "passes/bias.h"
#include "passes/coverage.h"
#include "support/random_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace clconv::test {
namespace {

using testing::HasSubstr;

/// A convolution whose result is right: rounded from double.
struct SpotCheckWork {
    explicit SpotCheckWork(Border border, double level = 0, double contrast = 1)
    {
        problem.border = border;
        for (std::size_t i = 0; i < image.values.size(); ++i) {
            float& sample = image.samples.as<float>()[i];
            sample = static_cast<float>(level + contrast * sample);
            image.values[i] = sample;
        }
        const std::vector<double> outside(2, 0.25);
        for (const double level_of_channel : bias_of(image.view, border, outside))
            bias.push_back(static_cast<float>(level_of_channel));
        const auto wanted = direct_reference(problem, image.values, psf.weights, outside);
        result.assign(wanted.begin(), wanted.end());
    }

    [[nodiscard]] SpotCheck check() const
    {
        return spot_check(
            {problem, psf, image.view.samples, reinterpret_cast<const std::byte*>(result.data()), bias, coverage});
    }

    Problem problem{.image = {31, 23}, .channels = 2, .psf = {7, 5}, .origin = {2, 3}, .psf_channels = 2};
    RandomImage image = random_image({31, 23}, 2, SampleType::float32, 1);
    Psf psf = random_psf({7, 5}, 2, {2, 3}, 2);
    std::vector<double> bias;
    std::vector<double> coverage;
    std::vector<float> result;
};

constexpr auto kAll = all_values<Border>();

TEST(SpotCheck, ARightResultIsRightInEveryBorder)
{
    for (const Border border : kAll) {
        const SpotCheck found = SpotCheckWork(border).check();
        EXPECT_EQ(found.verdict, Verdict::right) << name_of(border) << ": " << found.what;
        EXPECT_LT(found.error, 0.1) << name_of(border);
        EXPECT_EQ(found.points, 48);
    }
}

TEST(SpotCheck, AnErrorOfThreeTimesWhatRoundingExplainsIsWrong)
{
    SpotCheckWork work(Border::zero);
    const auto channel = std::span(work.psf.weights).first(work.psf.extent.pixels());
    const double magnitudes = std::accumulate(channel.begin(), channel.end(), 0.0,
                                              [](double sum, double weight) { return sum + std::abs(weight); });
    const double rounding = 1e-5 * largest_magnitude(work.image.view) * magnitudes;
    for (std::size_t i = 0; i < work.result.size(); i += 2) work.result[i] += static_cast<float>(3 * rounding);
    EXPECT_EQ(work.check().verdict, Verdict::wrong);
}

TEST(SpotCheck, AResultOfAnotherBorderIsWrong)
{
    for (const Border border : kAll) {
        SpotCheckWork work(border);
        work.result = SpotCheckWork(border == Border::wrap ? Border::clamp : Border::wrap).result;
        EXPECT_EQ(work.check().verdict, Verdict::wrong) << name_of(border);
    }
}

TEST(SpotCheck, ABlendIsComparedAsWhatItIs)
{
    SpotCheckWork work(Border::clamp);
    for (std::size_t i = 0; i < work.result.size(); ++i)
        work.result[i] = static_cast<float>(0.75 * work.image.values[i] + 0.25 * work.result[i] + 0.5);
    Blending blending{.blend = Blend::sum, .gain = {0.25}, .leave = 0.25, .offset = 0.5};
    work.problem.blend = blending.shape();
    DoneWork done{work.problem, work.psf, work.image.view.samples,
                  reinterpret_cast<const std::byte*>(work.result.data()), work.bias};
    done.blending = &blending;
    EXPECT_EQ(spot_check(done).verdict, Verdict::right) << spot_check(done).what;
    blending.leave = 0.3;
    EXPECT_EQ(spot_check(done).verdict, Verdict::wrong);
}

TEST(SpotCheck, AResultOnePixelOffIsWrongAndSaysWhere)
{
    SpotCheckWork work(Border::clamp);
    std::rotate(work.result.begin(), work.result.begin() + 2, work.result.end());
    const SpotCheck found = work.check();
    EXPECT_EQ(found.verdict, Verdict::wrong);
    EXPECT_THAT(found.what, HasSubstr("by a direct sum"));
}

TEST(SpotCheck, NotANumberWhereTheImageHasNumbersIsWrong)
{
    SpotCheckWork work(Border::zero);
    work.result.assign(work.result.size(), std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(work.check().verdict, Verdict::wrong);
}

TEST(SpotCheck, AnImageThatIsNotFiniteTellsNothingWhereItsResultIsNotEither)
{
    SpotCheckWork work(Border::zero);
    work.image.samples.as<float>()[100] = std::numeric_limits<float>::quiet_NaN();
    work.result.assign(work.result.size(), std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(work.check().verdict, Verdict::undecided);
}

TEST(SpotCheck, AnImageWithoutContentProvesNothingButTheLevelIsChecked)
{
    SpotCheckWork flat(Border::clamp, 0.5, 0);
    EXPECT_EQ(flat.check().verdict, Verdict::undecided);
    for (float& sample : flat.result) sample *= 1.01F;
    EXPECT_EQ(flat.check().verdict, Verdict::wrong);
}

TEST(SpotCheck, ABlackImageIsNoComplaintAndNeitherIsOneThatIsFlushedToBlack)
{
    for (const double contrast : {0.0, 1e-42}) {
        SpotCheckWork black(Border::clamp, 0, contrast);
        black.result.assign(black.result.size(), 0.0F);
        EXPECT_EQ(black.check().verdict, Verdict::undecided) << contrast << ": " << black.check().what;
        black.result.assign(black.result.size(), 1e-30F);
        EXPECT_EQ(black.check().verdict, Verdict::wrong) << contrast;
    }
}

TEST(SpotCheck, ErrorsThatBrightLightElsewhereExplainsAreNoComplaint)
{
    SpotCheckWork work(Border::zero);
    constexpr std::size_t somewhere = 2 * (11 * 31 + 15);
    work.image.samples.as<float>()[somewhere] = 1e9F;
    work.image.values[somewhere] = 1e9;
    const auto wanted = direct_reference(work.problem, work.image.values, work.psf.weights);
    work.result.assign(wanted.begin(), wanted.end());
    for (float& sample : work.result) sample += 100;  // 1e-7 of the light
    EXPECT_NE(work.check().verdict, Verdict::wrong);
}

}  // namespace
}  // namespace clconv::test
