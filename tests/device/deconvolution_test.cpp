// SPDX-License-Identifier: Apache-2.0
// Direct deconvolution through the whole engine, against the formula over Fourier sums in double.

#include "engine/deconvolution_work.h"

#include "base/errors.h"
#include "engine/convolver.h"
#include "support/convolution_case.h"
#include "support/torus.h"

#include <gtest/gtest.h>

#include <functional>

namespace clconv::test {
namespace {

ConvolveSettings settings_of(Border border, const DirectDeconvolution& how)
{
    ConvolveSettings settings;
    settings.border = border;
    settings.work = deconvolution_work(how);
    return settings;
}

/// The inverse on a torus of the padded size: the image in its corner, behind it the border, and before the torus
/// closes the border again that precedes the image.
std::vector<double> reference(const RandomImage& image, const Psf& psf, Border border, const DirectDeconvolution& how,
                              Extent torus)
{
    const Extent extent = image.view.extent;
    const auto channels = static_cast<std::size_t>(image.view.channels);
    /// The image's sample at a position of the torus.
    const auto source = [&](int position, int count, int length, int taps, int origin) {
        const int behind = origin + (length - count - (taps - 1)) / 2;
        return source_index(border, position < count + behind ? position : position - length, count);
    };
    std::vector<double> results(image.values.size());
    for (std::size_t c = 0; c < channels; ++c) {
        std::vector<std::complex<double>> values(torus.pixels());
        for (int y = 0; y < torus.height; ++y)
            for (int x = 0; x < torus.width; ++x) {
                const auto row = source(y, extent.height, torus.height, psf.extent.height, psf.origin.y);
                const auto column = source(x, extent.width, torus.width, psf.extent.width, psf.origin.x);
                if (row && column)
                    values[static_cast<std::size_t>(y) * torus.width + x] =
                        image.values[(static_cast<std::size_t>(*row) * extent.width + *column) * channels + c];
            }
        values = on_torus(
            std::move(values), torus,
            [&](std::size_t i, const Spectra& spectra) {
                const double regular = how.method == DirectMethod::wiener ? 1 : std::norm(spectra.laplacian[i]);
                return std::conj(spectra.psf[i]) / (std::norm(spectra.psf[i]) + how.strength * regular);
            },
            psf, static_cast<int>(c) % psf.channels);
        for (int y = 0; y < extent.height; ++y)
            for (int x = 0; x < extent.width; ++x)
                results[(static_cast<std::size_t>(y) * extent.width + x) * channels + c] =
                    values[static_cast<std::size_t>(y) * torus.width + x].real();
    }
    return results;
}

void expect_formula(Extent extent, Border border, const DirectDeconvolution& how, const std::shared_ptr<Device>& device)
{
    SCOPED_TRACE(std::string(name_of(how.method)) + " " + std::string(name_of(border)) + " " + to_string(extent));
    const RandomImage image = random_image(extent, 2, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 4}, 2, {2, 1}, 2));
    const ConvolveSettings settings = settings_of(border, how);
    Convolver convolver(device, KernelSource::embedded(), settings);
    const auto result = convolver.convolve(image.view, psf, SampleType::float32);
    const Problem whole = problem_of(image.view, *psf, settings, SampleType::float32);
    const DeviceTraits& traits = device->info().traits;
    const WorkNeeds needs = work_needs(whole, *psf, channels_of(image.view), settings, traits);
    const Extent torus = padded_extent(make_plan(needs.planned, traits));
    EXPECT_LE(errors_of(result.samples.as<float>(), reference(image, *psf, border, how, torus)).plain, 1e-5)
        << result.plan;
}

TEST(Deconvolution, IsItsFormulaForEveryBorderThatItHas)
{
    for (const Border border : all_values<Border>()) {
        if (border == Border::renormalize || border == Border::constant) continue;
        expect_formula({37, 29}, border, {DirectMethod::wiener, 0.03}, test_device());
        expect_formula({37, 29}, border, {DirectMethod::tikhonov, 0.1}, small_gpu());
    }
}

TEST(Deconvolution, OfAPeriodThatRadicesMakeIsExactlyCircular)
{
    for (const Extent extent : {Extent{64, 30}, Extent{36, 30}}) {
        const Problem problem{.image = extent,
                              .psf = {5, 4},
                              .origin = {2, 1},
                              .border = Border::wrap,
                              .support = KernelSupport::infinite};
        for (const auto& device : {test_device(), small_gpu()}) {
            EXPECT_EQ(padded_extent(make_plan(problem, device->info().traits)), extent);
            expect_formula(extent, Border::wrap, {DirectMethod::wiener, 0.03}, device);
        }
    }
}

TEST(Deconvolution, OfAnImageSmallerThanTheLaplacianIsItsFormula)
{
    for (const Extent extent : {Extent{1, 1}, Extent{9, 1}, Extent{2, 12}})
        expect_formula(extent, Border::clamp, {DirectMethod::tikhonov, 0.1}, test_device());
}

TEST(Deconvolution, UndoesAConvolution)
{
    const RandomImage image = random_image({64, 48}, 1, SampleType::float32, 1);
    Psf psf = random_psf({5, 3}, 1, {2, 1}, 2);
    psf.weights[7] += 2;  // so that its spectrum has no zero
    const auto shared = std::make_shared<const Psf>(psf);
    ConvolveSettings blur;
    blur.border = Border::wrap;
    Convolver there(test_device(), KernelSource::embedded(), blur);
    const auto blurred = there.convolve(image.view, shared, SampleType::float32);
    ImageView view = image.view;
    view.samples = blurred.samples.data();
    Convolver back(test_device(), KernelSource::embedded(), settings_of(Border::wrap, {DirectMethod::wiener, 0}));
    const auto sharp = back.convolve(view, shared, SampleType::float32);
    EXPECT_LE(errors_of(sharp.samples.as<float>(), image.values).plain, 1e-5);
}

TEST(Deconvolution, ItsPlanIsCheckedByAConvolution)
{
    const RandomImage image = random_image({40, 30}, 1, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({6, 5}, 1, {1, 4}, 2));
    ConvolveSettings settings = settings_of(Border::mirror, {DirectMethod::wiener, 0.01});
    settings.first_use.is_checked = true;
    Convolver convolver(test_device(), KernelSource::embedded(), settings);
    EXPECT_EQ(convolver.convolve(image.view, psf, SampleType::float32).plan_check, "passed");
}

TEST(Deconvolution, WhatAnInverseCannotDoIsRefused)
{
    const Problem problem{.image = {40, 30}, .psf = {5, 5}, .origin = {2, 2}, .support = KernelSupport::infinite};
    const DeviceTraits traits = small_gpu()->info().traits;
    const auto refused = [&](const std::function<void(Problem&, Decisions&)>& change) {
        Problem changed = problem;
        Decisions decisions;
        change(changed, decisions);
        EXPECT_THROW((void)make_plan(changed, traits, decisions), InvalidProblem) << token(changed);
    };
    refused([](Problem& p, Decisions&) { p.mode = Mode::full; });
    refused([](Problem& p, Decisions&) { p.mode = Mode::valid; });
    refused([](Problem& p, Decisions&) { p.border = Border::renormalize; });
    refused([](Problem& p, Decisions&) { p.precision = Precision::half; });
    refused([](Problem&, Decisions& d) { d.method = Method::direct; });
    refused([](Problem&, Decisions& d) { d.method = Method::tiled; });
}

TEST(Deconvolution, AnImageThatDoesNotFitIsNotCutIntoPieces)
{
    DeviceInfo info = test_device_info();
    info.traits.global_memory = info.traits.max_allocation = 1 << 16;
    const auto device = std::make_shared<Device>(info);
    const RandomImage image = random_image({200, 200}, 1, SampleType::float32, 1);
    const auto psf = std::make_shared<const Psf>(random_psf({5, 5}, 1, {2, 2}, 2));
    Convolver convolver(device, KernelSource::embedded(), settings_of(Border::clamp, {DirectMethod::wiener, 0.01}));
    EXPECT_THROW(convolver.start(image.view, psf, SampleType::float32), TooLarge);
}

}  // namespace
}  // namespace clconv::test
