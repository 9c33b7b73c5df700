// SPDX-License-Identifier: Apache-2.0
// Richardson-Lucy through the whole engine, against the iteration by direct sums in double.

#include "engine/richardson_lucy_work.h"

#include "engine/convolver.h"
#include "opencl/guard_bands.h"
#include "passes/pass_names.h"
#include "plan/plan_memory.h"
#include "support/adjoint_case.h"
#include "support/full.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace clconv::test {
namespace {

/// What lies outside, if the border has a value of its own.
constexpr double kOutside = 0.3;

/// The estimate where the image is, of one channel after another. Plain iterations.
Doubles reference(const RandomImage& image, const Psf& psf, const Problem& whole, const RichardsonLucy& how)
{
    const EstimateProblem made = estimate_problem(whole, how);
    const Problem& problem = made.problem;
    const auto channels = static_cast<std::size_t>(whole.channels);
    const Doubles outside(channels, mode_of(whole.border).has_own_value() ? kOutside : 0);
    const Doubles ones(image.values.size(), 1.0);
    Doubles means(channels);
    for (std::size_t i = 0; i < image.values.size(); ++i)
        means[i % channels] += image.values[i] / static_cast<double>(whole.image.pixels());
    const Doubles reached = adjoint_reference(problem, ones, psf);
    Doubles estimate(reached.size());
    for (std::size_t i = 0; i < estimate.size(); ++i) estimate[i] = means[i % channels];
    const auto minimum = [&](std::size_t i) {
        const double* weights = psf.weights.data() + i % channels % psf.channels * psf.extent.pixels();
        return min_share(how) * std::accumulate(weights, weights + psf.extent.pixels(), 0.0);
    };
    for (int k = 0; k < how.iterations; ++k) {
        Doubles ratio = direct_reference(problem, estimate, psf.weights, outside);
        for (std::size_t i = 0; i < ratio.size(); ++i)
            ratio[i] = image.values[i] / std::max(ratio[i] + how.background, 1e-6 * means[i % channels]);
        const Doubles factor = adjoint_reference(problem, ratio, psf);
        for (std::size_t i = 0; i < estimate.size(); ++i)
            if (reached[i] > minimum(i)) estimate[i] *= std::max(factor[i], 0.0) / reached[i];
    }
    Doubles result;
    for (int y = 0; y < whole.image.height; ++y)
        for (int x = 0; x < whole.image.width; ++x)
            for (std::size_t c = 0; c < channels; ++c)
                result.push_back(
                    estimate[(static_cast<std::size_t>(y + made.from.y) * problem.image.width + x + made.from.x) *
                                 channels +
                             c]);
    return result;
}

void expect_iterations(Border border, RichardsonLucy how, const std::shared_ptr<Device>& device,
                       const Decisions& decisions = {})
{
    SCOPED_TRACE(how.is_masked ? "masked" : name_of(border));
    how.acceleration = Acceleration::none;
    const RandomImage image = random_image({23, 17}, 2, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 4}, 2, {1, 2}, 2));
    ConvolveSettings settings;
    settings.border = border;
    if (mode_of(border).has_own_value()) settings.border_value = {kOutside};
    settings.decisions = decisions;
    settings.work = richardson_lucy_work(how);
    settings.first_use.is_checked = true;
    Convolver convolver(device, KernelSource::embedded(), settings);
    for (int round = 0; round < 2; ++round) {
        const auto result = convolver.convolve(image.view, psf, SampleType::float32);
        const Problem whole = problem_of(image.view, *psf, settings, SampleType::float32);
        EXPECT_LE(errors_of(result.samples.as<float>(), reference(image, *psf, whole, how)).plain, 1e-5) << result.plan;
        EXPECT_EQ(result.residuals.size(), static_cast<std::size_t>(how.iterations));
    }
}

TEST(RichardsonLucy, IsItsIterationForEveryBorder)
{
    for (const auto& device : {test_device(), small_gpu()}) {
        expect_iterations(Border::clamp, {.iterations = 6}, device);
        for (const Border border :
             mostly_full(all_values<Border>(), {Border::constant, Border::wrap, Border::mirror, Border::renormalize}))
            expect_iterations(border, {.iterations = 6, .is_masked = false}, device, with_method(Method::fft));
    }
}

TEST(RichardsonLucy, IsTheSameByEveryMethod)
{
    for (const Method method : all_values<Method>())
        expect_iterations(Border::clamp, {.iterations = 6, .background = 0.2}, test_device(), with_method(method));
}

/// The deconvolution of two channels, 23x17.
ConvolvedImage deconvolved(const RichardsonLucy& how, const std::shared_ptr<Device>& device, const Decisions& decisions)
{
    const RandomImage image = random_image({23, 17}, 2, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 4}, 2, {1, 2}, 2));
    ConvolveSettings settings;
    settings.border = Border::zero;
    settings.decisions = decisions;
    settings.work = richardson_lucy_work(how);
    Convolver convolver(device, KernelSource::embedded(), settings);
    return convolver.convolve(image.view, psf, SampleType::float32);
}

/// Direct sums have passes between the convolutions. Transforms have the same steps in their rows.
void expect_merged_as_separate(const RichardsonLucy& how, const std::shared_ptr<Device>& device,
                               const Decisions& decisions)
{
    const auto merged = deconvolved(how, device, decisions);
    const auto separate = deconvolved(how, device, with_method(Method::direct));
    SCOPED_TRACE(merged.plan);
    const auto expected = separate.samples.as<float>();
    const Doubles in_double(expected.begin(), expected.end());
    EXPECT_LE(errors_of(merged.samples.as<float>(), in_double).plain, 2e-5);
    ASSERT_EQ(merged.residuals.size(), separate.residuals.size());
    for (std::size_t k = 0; k < merged.residuals.size(); ++k)
        EXPECT_NEAR(merged.residuals[k], separate.residuals[k], 1e-5 * separate.residuals.front()) << k;
    const auto has = [&](std::string_view pass) {
        return std::ranges::any_of(merged.times, [&](const StageTime& time) { return time.stage == pass; });
    };
    EXPECT_TRUE(has(pass::kRatioRows) && !has(pass::kRatio));
    EXPECT_EQ(has(pass::kUpdateRows), how.acceleration != Acceleration::biggs_andrews);
}

TEST(RichardsonLucy, StepsInRowsAreThoseBetweenConvolutions)
{
    int next = 0;
    for (const auto& device : {test_device(), small_gpu()})
        for (const bool is_masked : {false, true})
            for (const Acceleration acceleration : all_values<Acceleration>()) {
                if (!is_full() && next++ % 2 == 1) continue;  // each acceleration with a mask or without one
                expect_merged_as_separate(
                    {.iterations = 5, .acceleration = acceleration, .is_masked = is_masked, .background = 0.1}, device,
                    with_method(Method::fft));
                expect_merged_as_separate({.iterations = 5,
                                           .acceleration = acceleration,
                                           .total_variation = 0.01,
                                           .weights = SampleWeights{true, nullptr},
                                           .is_masked = is_masked},
                                          device, with_method(Method::fft));
            }
}

TEST(RichardsonLucy, StepsInRowsAreTheSameForLinesOfEveryForm)
{
    const std::vector<const char*> forms = {"packing=channels", "passes=separate", "row-exchange=ping-pong",
                                            "row-exchange=split", "programs=special"};
    for (const char* decision : mostly_full(forms, {"packing=channels", "passes=separate", "row-exchange=split"})) {
        Decisions decisions = with_method(Method::fft);
        decide(decisions, decision);
        expect_merged_as_separate({.iterations = 3}, small_gpu(), decisions);
    }
    const std::vector<std::vector<int>> sequences = {{32}, {3, 3, 3}, {5, 7}, {2, 2, 2, 2, 2}};
    for (const std::vector<int>& radices : mostly_full(sequences, {{5, 7}, {2, 2, 2, 2, 2}})) {
        Decisions decisions = with_method(Method::fft);
        decisions.radix_x.sequence = radices;
        expect_merged_as_separate({.iterations = 3}, small_gpu(), decisions);
    }
}

/// The pixels in the opposite order: the image turned by 180 degrees.
void turn(std::span<float> samples, std::size_t channels)
{
    std::ranges::reverse(samples);
    for (std::size_t i = 0; i < samples.size(); i += channels) std::ranges::reverse(samples.subspan(i, channels));
}

TEST(RichardsonLucy, ALargeImageAndItsHalfTurnHaveOneResult)
{
    // So large that a work-group takes a row of a plane in two turns, and that a sum has more parts than work-items.
    // Left and right, top and bottom are so different that leaving out one of them shows.
    RandomImage image = random_image({1024, 513}, 2, SampleType::float32, 1);
    const auto samples = image.samples.as<float>();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i / 2 % 1024 >= 512) samples[i] *= 0.2F;
        if (i / 2 / 1024 >= 100) samples[i] += 0.4F;
    }
    Psf psf = random_psf({5, 4}, 1, {1, 2}, 2);
    ConvolveSettings settings;
    settings.border = Border::zero;
    settings.decisions = with_method(Method::direct);
    settings.work =
        richardson_lucy_work({.iterations = 3, .acceleration = Acceleration::biggs_andrews, .is_masked = false});
    const auto result_of_image = [&] {
        Convolver convolver(test_device(), KernelSource::embedded(), settings);
        return convolver.convolve(image.view, std::make_shared<const Psf>(psf), SampleType::float32);
    };
    const auto upright = result_of_image();
    turn(samples, 2);
    std::ranges::reverse(psf.weights);
    psf.origin = {psf.extent.width - 1 - psf.origin.x, psf.extent.height - 1 - psf.origin.y};
    auto turned = result_of_image();
    turn(turned.samples.as<float>(), 2);
    const auto expected = upright.samples.as<float>();
    EXPECT_LE(
        errors_of(std::span<const float>(turned.samples.as<float>()), Doubles(expected.begin(), expected.end())).plain,
        2e-5);
    for (std::size_t k = 0; k < upright.residuals.size(); ++k)
        EXPECT_NEAR(turned.residuals[k], upright.residuals[k], 1e-4 * upright.residuals[k]) << k;
}

/// Plans and parts are chosen by what device_bytes() says.
TEST(RichardsonLucy, NeedsNoMoreMemoryThanItsPlanSays)
{
    const auto device = small_gpu();
    const RandomImage image = random_image({260, 180}, 2, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({19, 14}, 2, {1, 2}, 2));
    const auto mask = std::make_shared<const Mask>(Mask{{260, 180}, std::vector<float>(260 * 180, 0.5F)});
    const RichardsonLucy plain{.iterations = 2, .acceleration = Acceleration::none, .is_masked = false};
    const RichardsonLucy accelerated{.iterations = 2, .acceleration = Acceleration::momentum};
    const RichardsonLucy everything{.iterations = 2,
                                    .acceleration = Acceleration::biggs_andrews,
                                    .total_variation = 0.01,
                                    .weights = SampleWeights{true, mask},
                                    .is_masked = false};
    for (const auto& [how, border] : {std::pair(plain, Border::renormalize), std::pair(accelerated, Border::clamp),
                                      std::pair(everything, Border::clamp)}) {
        ConvolveSettings settings;
        settings.border = border;
        settings.decisions = with_method(Method::fft);
        settings.work = richardson_lucy_work(how);
        GuardBands buffers(*device);
        const GuardBands::Watch watch(buffers);
        Convolver convolver(device, KernelSource::embedded(), settings);
        (void)convolver.convolve(image.view, psf, SampleType::float32);
        const Problem whole = problem_of(image.view, *psf, settings, SampleType::float32);
        const Plan plan = make_plan(estimate_problem(whole, how).problem, device->info().traits, settings.decisions);
        constexpr std::uint64_t tables = std::uint64_t{16} << 10U;
        const std::uint64_t grown =
            plan.fft().spectra_bytes(Precision::float32);  // there twice: the adjoint's is larger
        EXPECT_LE(buffers.buffer_bytes(), device_bytes(plan).together + grown + tables) << describe(plan);
        EXPECT_GE(buffers.buffer_bytes(), device_bytes(plan).together * 2 / 3) << describe(plan);
    }
}

}  // namespace
}  // namespace clconv::test
