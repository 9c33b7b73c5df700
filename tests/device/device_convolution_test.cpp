// SPDX-License-Identifier: Apache-2.0
// Convolutions from buffer to buffer, against the direct double sum.

#include "passes/device_convolution.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "support/convolution_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace clconv::test {
namespace {

/// The PSF turned by 180 degrees, as iterations apply it every other time.
Psf rotated(const Psf& psf)
{
    Psf result = psf;
    const auto plane = static_cast<std::ptrdiff_t>(psf.extent.pixels());
    for (auto begin = result.weights.begin(); begin != result.weights.end(); begin += plane)
        std::reverse(begin, begin + plane);
    result.origin = {psf.extent.width - 1 - psf.origin.x, psf.extent.height - 1 - psf.origin.y};
    return result;
}

/// Convolves with a PSF, and the result with the rotated PSF; only then the host looks.
void expect_right_after_both(const Case& c)
{
    SCOPED_TRACE(token(problem_of(c)) + " " + std::string(name_of(*c.decisions.method)));
    const auto device = test_device();
    const Problem problem = problem_of(c);
    const RandomImage image = random_image(c.image, c.channels, SampleType::float32, 1);
    const Psf psf = random_psf(c.psf, c.psf_channels, c.origin, 2);
    const Psf back = rotated(psf);
    ASSERT_EQ(back.origin, psf.origin);  // or it would be another problem

    DeviceConvolution convolution(*device, KernelSource::embedded(),
                                  make_plan(problem, device->info().traits, c.decisions));
    Launcher launcher(*device);
    const PreparedPsf there = convolution.prepare(launcher, psf);
    const PreparedPsf and_back = convolution.prepare(launcher, back);
    const auto bytes = image.values.size() * sizeof(float);
    const cl::Buffer first = upload_bytes(*device, image.view.samples, bytes);
    const cl::Buffer second = allocate(*device, bytes);
    const cl::Buffer third = allocate(*device, bytes);
    const auto channels = static_cast<std::size_t>(c.channels);
    const ImageBuffers one = convolution.between(first, second, there, {std::vector<double>(channels, 0.5)});
    const ImageBuffers two = convolution.between(second, third, and_back, {std::vector<double>(channels)});
    convolution.convolve(launcher, one, there);
    convolution.convolve(launcher, two, and_back);
    Bytes read(bytes);
    launcher.read(third, read.data(), bytes);
    (void)launcher.finish();

    const auto once = direct_reference(problem, image.values, psf.weights);
    const auto twice = direct_reference(problem, once, back.weights);
    // Each convolution may be off by the promise, and keeps what the one before was off by.
    const Bytes& result = read;
    EXPECT_LE(errors_of(result.as<float>(), twice).plain, 2 * tolerance(Precision::float32));
}

TEST(DeviceConvolution, AResultIsConvolvedAgainWithoutTheHostInBetween)
{
    const std::pair<Method, Border> by[] = {
        {Method::fft, Border::clamp}, {Method::tiled, Border::renormalize}, {Method::direct, Border::wrap}};
    for (const auto& [method, border] : by)
        expect_right_after_both({{40, 29}, 3, {7, 5}, {3, 2}, 3, border, Mode::same, with_method(method)});
}

TEST(DeviceConvolution, APsfOfAnotherExtentIsRefused)
{
    const auto device = test_device();
    const Case c{{40, 29}, 3, {7, 5}, {3, 2}, 3, Border::clamp, Mode::same, with_method(Method::fft)};
    DeviceConvolution convolution(*device, KernelSource::embedded(),
                                  make_plan(problem_of(c), device->info().traits, c.decisions));
    Launcher launcher(*device);
    EXPECT_THROW((void)convolution.prepare(launcher, random_psf({5, 7}, 3, {2, 3}, 2)), InternalError);
    EXPECT_THROW((void)convolution.prepare(launcher, random_psf({7, 5}, 1, {3, 2}, 2)), InternalError);
}

}  // namespace
}  // namespace clconv::test
