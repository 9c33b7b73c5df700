// SPDX-License-Identifier: Apache-2.0
// One adjoint convolution of random data, against its law, <A x, y> = <x, A' y>, and against direct double sums.
#pragma once

#include "conv/axis.h"
#include "opencl/buffers.h"
#include "passes/adjoint_convolution.h"
#include "support/convolution_case.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace clconv::test {

using Doubles = std::vector<double>;

/// Calls use(result, image sample or -1, PSF sample) for every product in the sum of every result.
inline void for_each_product(const Problem& p, const std::function<void(std::size_t, std::ptrdiff_t, std::size_t)>& use)
{
    const Extent output = output_extent(p);
    const Position first = first_output(p);
    for (int y = 0; y < output.height; ++y)
        for (int x = 0; x < output.width; ++x)
            for (int j = 0; j < p.psf.height; ++j)
                for (int i = 0; i < p.psf.width; ++i) {
                    const auto row = source_index(p.border, first.y + y - (j - p.origin.y), p.image.height);
                    const auto column = source_index(p.border, first.x + x - (i - p.origin.x), p.image.width);
                    const std::ptrdiff_t sample = row && column ? *row * p.image.width + *column : -1;
                    use(static_cast<std::size_t>(y) * output.width + x, sample,
                        static_cast<std::size_t>(j) * p.psf.width + i);
                }
}

/// A' y: each result gives every sample of its sum back what it has taken.
inline Doubles adjoint_reference(const Problem& p, const Doubles& results, const Psf& psf)
{
    const std::size_t pixels = output_extent(p).pixels();
    const auto channels = static_cast<std::size_t>(p.channels);
    Doubles image(p.image.pixels() * channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const double* weights = psf.weights.data() + c % psf.channels * psf.extent.pixels();
        Doubles coverage(pixels, 1.0);
        if (p.border == Border::renormalize) {
            coverage.assign(pixels, 0.0);
            for_each_product(p, [&](std::size_t result, std::ptrdiff_t sample, std::size_t tap) {
                if (sample >= 0) coverage[result] += weights[tap];
            });
        }
        for_each_product(p, [&](std::size_t result, std::ptrdiff_t sample, std::size_t tap) {
            if (sample >= 0 && coverage[result] != 0)
                image[static_cast<std::size_t>(sample) * channels + c] +=
                    weights[tap] * results[result * channels + c] / coverage[result];
        });
    }
    return image;
}

inline double product(const Doubles& a, const Doubles& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A x and A' y on a device.
struct Both {
    Doubles forward, back;
};
inline Both on_device(const std::shared_ptr<Device>& device, const Plan& plan, const Psf& psf, const RandomImage& x,
                      const RandomImage& y)
{
    DeviceConvolution convolution(*device, KernelSource::embedded(), plan);
    AdjointConvolution adjoint(*device, KernelSource::embedded(), plan);
    Launcher launcher(*device);
    const PreparedPsf transfer = convolution.prepare(launcher, psf);
    const PreparedPsf back = adjoint.prepare(launcher, psf, transfer);
    const auto bytes = [](const RandomImage& image) { return image.values.size() * sizeof(float); };
    const cl::Buffer image = upload_bytes(*device, x.view.samples, bytes(x));
    const cl::Buffer results = upload_bytes(*device, y.view.samples, bytes(y));
    const cl::Buffer forward = allocate(*device, bytes(y)), backward = allocate(*device, bytes(x));
    const Doubles none(static_cast<std::size_t>(plan.problem.channels));
    const ImageBuffers buffers = convolution.between(image, forward, transfer, {none});
    convolution.convolve(launcher, buffers, transfer);
    for (int round = 0; round < 2; ++round)
        adjoint.convolve(launcher, results, backward, back);  // twice gives the same
    Bytes there(bytes(y)), here(bytes(x));
    launcher.read(forward, there.data(), there.size());
    launcher.read(backward, here.data(), here.size());
    (void)launcher.finish();
    const auto in_double = [](const Bytes& read) { return Doubles(read.as<float>().begin(), read.as<float>().end()); };
    return {in_double(there), in_double(here)};
}

inline void expect_adjoint(const Case& c, const Psf& psf, const std::shared_ptr<Device>& device)
{
    const Problem problem = problem_of(c);
    SCOPED_TRACE(token(problem));
    const Plan plan = make_plan(problem, device->info().traits, c.decisions);
    const RandomImage x = random_image(c.image, c.channels, SampleType::float32, 1);
    const RandomImage y = random_image(output_extent(problem), c.channels, SampleType::float32, 3);
    const Both both = on_device(device, plan, psf, x, y);

    const Doubles outside(static_cast<std::size_t>(c.channels));  // of constant's linear part
    const Doubles forward = direct_reference(problem, x.values, psf.weights, outside);
    EXPECT_LE(errors_of(std::span<const double>(both.forward), forward).plain, 2e-6);
    EXPECT_LE(errors_of(std::span<const double>(both.back), adjoint_reference(problem, y.values, psf)).plain, 2e-6);
    const double there = product(both.forward, y.values), back = product(x.values, both.back);
    EXPECT_NEAR(there, back, 1e-5 * std::sqrt(product(both.forward, both.forward) * product(y.values, y.values)));
}

inline void expect_adjoint(const Case& c, const std::shared_ptr<Device>& device)
{
    expect_adjoint(c, random_psf(c.psf, c.psf_channels, c.origin, 2), device);
}

}  // namespace clconv::test
