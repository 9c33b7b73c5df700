// SPDX-License-Identifier: Apache-2.0
// Which PSF channel acts on which channel of the image, and in which orientation.

#include "support/convolution_case.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

std::vector<float> convolved(const RandomImage& image, int alpha_channel, const Psf& psf,
                             const ConvolveSettings& settings)
{
    Convolver convolver(test_device(), KernelSource::embedded(), settings);
    ImageView view = image.view;
    view.alpha_channel = alpha_channel;
    const auto result = convolver.convolve(view, std::make_shared<const Psf>(psf), SampleType::float32);
    const auto samples = result.samples.as<float>();
    return {samples.begin(), samples.end()};
}

ConvolveSettings settings_with(Method method)
{
    ConvolveSettings settings;
    settings.border = Border::zero;
    settings.decisions = with_method(method);
    return settings;
}

Problem problem_with(const RandomImage& image, const Psf& psf)
{
    return {.image = image.view.extent,
            .channels = image.view.channels,
            .psf = psf.extent,
            .origin = psf.origin,
            .psf_channels = psf.channels,
            .border = Border::zero};
}

constexpr Method kMethods[] = {Method::direct, Method::tiled, Method::fft};

TEST(Channels, AlphaTakesTheMeanOfThePsfsColours)
{
    const RandomImage image = random_image({15, 12}, 4, SampleType::float32, 1);
    const Psf psf = random_psf({6, 4}, 3, {1, 3}, 2);
    Psf four = psf;
    four.channels = 4;
    for (std::size_t i = 0; i < psf.extent.pixels(); ++i) {
        const std::size_t plane = psf.extent.pixels();
        four.weights.push_back((psf.weights[i] + psf.weights[plane + i] + psf.weights[2 * plane + i]) / 3);
    }
    const auto reference = direct_reference(problem_with(image, four), image.values, four.weights);
    for (const Method method : kMethods)
        EXPECT_LE(errors_of<float>(convolved(image, 3, psf, settings_with(method)), reference).plain, 1e-6);
}

TEST(Channels, OnePsfChannelActsOnAllOfThem)
{
    const RandomImage image = random_image({15, 12}, 4, SampleType::float32, 3);
    const Psf psf = random_psf({6, 4}, 1, {1, 3}, 4);
    const auto reference = direct_reference(problem_with(image, psf), image.values, psf.weights);
    for (const Method method : kMethods)
        EXPECT_LE(errors_of<float>(convolved(image, -1, psf, settings_with(method)), reference).plain, 1e-6);
}

/// out[y][x] = sum over j, i of K[j][i] I[y + j - oy][x + i - ox], zero outside.
std::vector<double> defined_correlation(const RandomImage& image, const Psf& psf)
{
    const Extent size = image.view.extent;
    std::vector<double> result;
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            double sum = 0;
            for (int j = 0; j < psf.extent.height; ++j)
                for (int i = 0; i < psf.extent.width; ++i) {
                    const int v = y + j - psf.origin.y, u = x + i - psf.origin.x;
                    if (v >= 0 && v < size.height && u >= 0 && u < size.width)
                        sum += psf.at(i, j, 0) * image.values[static_cast<std::size_t>(v) * size.width + u];
                }
            result.push_back(sum);
        }
    return result;
}

TEST(Correlation, LooksTheOtherWay)
{
    const RandomImage image = random_image({15, 12}, 1, SampleType::float32, 5);
    const Psf psf = random_psf({6, 4}, 1, {1, 3}, 6);
    for (const Method method : kMethods) {
        ConvolveSettings settings = settings_with(method);
        settings.correlate = true;
        EXPECT_LE(errors_of<float>(convolved(image, -1, psf, settings), defined_correlation(image, psf)).plain, 1e-6);
    }
}

TEST(ConstantBorder, HasItsOwnValueForEveryChannel)
{
    const RandomImage image = random_image({15, 12}, 4, SampleType::float32, 7);
    const Psf psf = random_psf({6, 4}, 4, {1, 3}, 8);
    Problem problem = problem_with(image, psf);
    problem.border = Border::constant;
    const std::vector<double> values{0.125, 0.5, -2, 1};
    const auto reference = direct_reference(problem, image.values, psf.weights, values);
    for (const Method method : kMethods) {
        ConvolveSettings settings = settings_with(method);
        settings.border = Border::constant;
        settings.border_value = values;
        EXPECT_LE(errors_of<float>(convolved(image, -1, psf, settings), reference).plain, 1e-6);
    }
}

TEST(ConstantImage, ComesOutExactlyConstantWhereTheBorderContinuesIt)
{
    // Less its mean the image is exactly zero, and a PSF whose sum is 1 brings the mean back as it was.
    RandomImage image = random_image({21, 17}, 1, SampleType::float32, 9);
    for (float& sample : image.samples.as<float>()) sample = 0.3f;
    Psf psf = random_psf({7, 6}, 1, {3, 3}, 10);
    for (double& weight : psf.weights) weight = 1.0 / 42;
    for (const Border border : {Border::clamp, Border::wrap, Border::renormalize}) {
        for (const Method method : {Method::tiled, Method::fft}) {
            ConvolveSettings settings = settings_with(method);
            settings.border = border;
            EXPECT_EQ(convolved(image, -1, psf, settings), std::vector<float>(image.values.size(), 0.3f))
                << name_of(border) << " " << name_of(method);
        }
    }
}

}  // namespace
}  // namespace clconv::test
