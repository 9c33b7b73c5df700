// SPDX-License-Identifier: Apache-2.0
// Small images that share a GPU's launches: each has the result that it has alone.

#include "engine/shared_launch.h"

#include "passes/pass_names.h"
#include "support/convolution_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::test::shared_launch {
namespace {

/// What the images of a test have in common.
struct Shared {
    Case shape;
    SampleType type = SampleType::float32;
    Blending blending = {};
    double darkest_weight = 0;  ///< negative: results leave the range of the samples
    std::string_view pass = pass::kRows;
};

constexpr int kImages = 6;

class Images {
public:
    explicit Images(const Shared& shared) : shared_(shared)
    {
        const Case& c = shared.shape;
        Psf psf = random_psf(c.psf, c.psf_channels, c.origin, 2);
        psf.weights.front() += shared.darkest_weight;
        psf.weights.back() -= shared.darkest_weight;
        psf_ = std::make_shared<const Psf>(std::move(psf));
        for (unsigned i = 0; i < kImages; ++i)
            images_.push_back(random_image(c.image, c.channels, shared.type, 10 + i));
    }

    [[nodiscard]] Convolver convolver(bool frugal) const
    {
        const Case& c = shared_.shape;
        ConvolveSettings settings{c.border, {0.25}, c.mode, false, c.decisions};
        settings.precision = c.precision;
        settings.blending = shared_.blending;
        return Convolver(gpu(), KernelSource::embedded(), settings, {.frugal = frugal});
    }
    void start(Convolver& convolver, std::size_t image) const
    {
        convolver.start(images_[image].view, psf_, shared_.type);
    }
    /// The errors of a result of floats.
    [[nodiscard]] double error_of(const Bytes& result, std::size_t image) const
    {
        const std::vector<double> border(static_cast<std::size_t>(shared_.shape.channels), 0.25);
        const auto reference =
            direct_reference(problem_of(shared_.shape), images_[image].values, psf_->weights, border);
        return errors_of(result.as<float>(), reference).plain;
    }

private:
    const Shared& shared_;
    std::shared_ptr<const Psf> psf_;
    std::vector<RandomImage> images_;
};

std::size_t count_of(std::string_view pass, const std::vector<Span>& spans)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(spans, [&](const Span& span) { return span.track == "device" && span.name == pass; }));
}

/// Starts all images, and compares each with its result in a Convolver that has one at a time.
void expect_same_as_alone(const Shared& shared)
{
    SCOPED_TRACE(token(problem_of(shared.shape)));
    const Images images(shared);
    Convolver together = images.convolver(false), alone = images.convolver(true);
    std::size_t launches = 0, clamped = 0;
    for (std::size_t i = 0; i < kImages; ++i) {
        ASSERT_LT(i, together.capacity());
        images.start(together, i);
    }
    for (std::size_t i = 0; i < kImages; ++i) {
        const ConvolvedImage result = together.finish();
        images.start(alone, i);
        const ConvolvedImage expected = alone.finish();
        ASSERT_EQ(result.samples.size(), expected.samples.size());
        EXPECT_EQ(std::memcmp(result.samples.data(), expected.samples.data(), result.samples.size()), 0) << i;
        EXPECT_EQ(result.clamped, expected.clamped);
        if (shared.type == SampleType::float32 && shared.blending.blend == Blend::none) {
            EXPECT_LE(images.error_of(result.samples, i), tolerance(shared.shape.precision)) << i;
        }
        launches += count_of(shared.pass, result.spans);
        clamped += result.clamped;
    }
    EXPECT_EQ(launches, 2U) << "the first image finds an idle device, all others wait for each other";
    if (shared.darkest_weight < 0) {
        EXPECT_GT(clamped, 0U);
    }
}

Decisions lines() { return in_general_programs(with_method(Method::fft)); }

/// Of most tests, so that they share what is built.
const Case kFrame{{40, 29}, 3, {7, 5}, {3, 2}, 3, Border::mirror, Mode::same, lines()};

TEST(SharedLaunch, LinesGiveEachImageItsOwnResult)
{
    expect_same_as_alone({kFrame});
    expect_same_as_alone({{{31, 44}, 2, {8, 6}, {4, 3}, 1, Border::renormalize, Mode::full, lines()}});
}

TEST(SharedLaunch, TilesGiveEachImageItsOwnResult)
{
    Decisions tiles = in_general_programs(with_method(Method::tiled));
    tiles.tile = Extent{32, 32};
    expect_same_as_alone(
        {.shape = {{70, 45}, 3, {7, 5}, {3, 2}, 1, Border::clamp, Mode::same, tiles}, .pass = pass::kTiled});
}

TEST(SharedLaunch, EachImageHasItsOwnCountOfClampedResults)
{
    const Case c{{40, 29}, 3, {7, 5}, {3, 2}, 1, Border::zero, Mode::same, lines()};
    expect_same_as_alone({.shape = c, .type = SampleType::u8, .darkest_weight = -1});
    Case tiled = c;
    tiled.decisions = in_general_programs(with_method(Method::tiled));
    tiled.decisions.tile = Extent{32, 32};
    expect_same_as_alone({.shape = tiled, .type = SampleType::u16, .darkest_weight = -1, .pass = pass::kTiled});
}

TEST(SharedLaunch, EachImageIsBlendedWithItself)
{
    Blending bloom;
    bloom.blend = Blend::sum;
    bloom.gain = {0.5};
    bloom.leave = 0.5;
    bloom.highlights = Highlights{.threshold = 0.6, .knee = 0.1};
    expect_same_as_alone({.shape = {{40, 29}, 3, {7, 5}, {3, 2}, 1, Border::clamp, Mode::same, lines()},
                          .type = SampleType::u8,
                          .blending = bloom});
}

TEST(SharedLaunch, ImagesOfAnotherSizeHaveAnotherLaunch)
{
    const Shared small{kFrame};
    Shared large{kFrame};
    large.shape.image = {41, 29};
    const Images some(small), others(large);
    Convolver convolver = some.convolver(false);
    std::vector<std::pair<const Images*, std::size_t>> order;
    const auto start = [&](const Images& images, std::size_t image) {
        images.start(convolver, image);
        order.emplace_back(&images, image);
    };
    for (const std::size_t image : {0, 1, 2}) start(some, image);
    for (const std::size_t image : {0, 1}) start(others, image);
    start(some, 3);
    for (const auto& [images, image] : order)
        EXPECT_LE(images->error_of(convolver.finish().samples, image), tolerance(Precision::float32));
}

TEST(SharedLaunch, ConvolversMayEndWithImagesInFlight)
{
    const Shared shared{kFrame};
    const Images images(shared);
    std::optional<Convolver> convolver;
    for (const std::size_t finished : {0, 1, 2}) {
        convolver.emplace(gpu(), KernelSource::embedded(),
                          ConvolveSettings{kFrame.border, {}, Mode::same, false, lines()});
        for (std::size_t i = 0; i < 4; ++i) images.start(*convolver, i);
        for (std::size_t i = 0; i < finished; ++i)
            EXPECT_LE(images.error_of(convolver->finish().samples, i), tolerance(Precision::float32));
    }
}

TEST(SharedLaunch, AConvolverTakesAsManyImagesAsItsLaunchesHold)
{
    const Shared shared{kFrame};
    const Images images(shared);
    Convolver convolver = images.convolver(false);
    std::size_t started = 0;
    for (; started < convolver.capacity(); ++started) images.start(convolver, started % kImages);
    EXPECT_EQ(started, 1U + 16U + 16U) << "one that found an idle device, and two full launches";
    for (std::size_t i = 0; i < started; ++i)
        EXPECT_LE(images.error_of(convolver.finish().samples, i % kImages), tolerance(Precision::float32));
}

}  // namespace
}  // namespace clconv::test::shared_launch
