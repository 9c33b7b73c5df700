// SPDX-License-Identifier: Apache-2.0
// Transfers made of others, against the same formulas over Fourier sums in double.

#include "passes/transfer_operators.h"

#include "base/errors.h"
#include "opencl/buffers.h"
#include "passes/device_convolution.h"
#include "support/convolution_case.h"
#include "support/torus.h"

#include <gtest/gtest.h>

#include <complex>
#include <functional>

namespace clconv::test {
namespace {

using Complex = std::complex<double>;

/// An operator, by the engine and by its formula for one frequency of PSF and Laplacian.
struct Operator {
    std::function<PreparedPsf(TransferOperators&, Launcher&, const PreparedPsf& psf, const PreparedPsf& laplacian)>
        make;
    std::function<Complex(Complex psf, Complex laplacian)> formula;
    double tolerance = 1e-5;
};
constexpr double kNoise = 0.03, kSmooth = 0.2;
const Operator kOperators[] = {
    {[](auto& by, auto& launcher, auto& psf, auto&) { return by.conjugate(launcher, psf); },
     [](Complex h, Complex) { return std::conj(h); }},
    {[](auto& by, auto& launcher, auto& psf, auto&) {
         return by.quotient(launcher, psf, by.power_spectrum(launcher, psf, kNoise));
     },
     [](Complex h, Complex) { return h / (std::norm(h) + kNoise); }},
    {[](auto& by, auto& launcher, auto& psf, auto& l) {
         return by.regularised_inverse(launcher, psf, kNoise, kSmooth, l);
     },
     [](Complex h, Complex l) { return std::conj(h) / (std::norm(h) + kNoise + kSmooth * std::norm(l)); }},
    {[](auto& by, auto& launcher, auto& psf, auto& l) { return by.quotient(launcher, psf, l); },  // l is 0 at 0
     [](Complex h, Complex l) { return std::abs(l) < 1e-9 ? 0 : h / l; }, 2e-4},  // the smallest divisor is 0.002
};

std::vector<double> reference(const Operator& op, const RandomImage& image, const Psf& psf)
{
    const Extent extent = image.view.extent;
    const auto channels = static_cast<std::size_t>(image.view.channels);
    std::vector<double> results(image.values.size());
    for (std::size_t c = 0; c < channels; ++c) {
        ComplexValues x(extent.pixels());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = image.values[i * channels + c];
        const auto transfer = [&](std::size_t i, const Spectra& spectra) {
            return op.formula(spectra.psf[i], spectra.laplacian[i]);
        };
        x = on_torus(std::move(x), extent, transfer, psf, static_cast<int>(c) % psf.channels);
        for (std::size_t i = 0; i < x.size(); ++i) results[i * channels + c] = x[i].real();
    }
    return results;
}

void expect_operators(Extent extent, const Decisions& decisions, const std::shared_ptr<Device>& device,
                      Precision precision = Precision::float32, int psf_channels = 2)
{
    const Problem problem{.image = extent,
                          .channels = 2,
                          .psf = {4, 5},
                          .origin = {1, 3},
                          .psf_channels = psf_channels,
                          .border = Border::wrap,
                          .precision = precision,
                          .support = KernelSupport::infinite};
    SCOPED_TRACE(token(problem));
    const Plan plan = make_plan(problem, device->info().traits, decisions);
    ASSERT_EQ(padded_extent(plan), extent);  // a torus of the image's size
    const Psf psf = random_psf(problem.psf, psf_channels, problem.origin, 2);
    const RandomImage image = random_image(extent, 2, SampleType::float32, 1);
    DeviceConvolution convolution(*device, KernelSource::embedded(), plan);
    TransferOperators operators(*device, KernelSource::embedded(), plan);
    Launcher launcher(*device);
    const PreparedPsf h = convolution.prepare(launcher, psf);
    const PreparedPsf l = convolution.prepare(launcher, laplacian(psf_channels));
    const auto bytes = image.values.size() * sizeof(float);
    const cl::Buffer from = upload_bytes(*device, image.view.samples, bytes);
    const cl::Buffer to = allocate(*device, bytes);
    for (const Operator& op : kOperators) {
        const PreparedPsf made = op.make(operators, launcher, h, l);
        // With a bias, results also need the transfer's sum, which operators make of the sums of others.
        const ImageBuffers buffers = convolution.between(from, to, made, {{0.5F, 0.25F}});
        convolution.convolve(launcher, buffers, made);
        Bytes read(bytes);
        launcher.read(to, read.data(), bytes);
        (void)launcher.finish();
        const Bytes& results = read;
        EXPECT_LE(errors_of(results.as<float>(), reference(op, image, psf)).plain, op.tolerance) << &op - kOperators;
    }
}

TEST(TransferOperators, AreTheirFormulasWithLinesOfWorkItems)
{
    expect_operators({64, 24}, with_method(Method::fft), test_device());
    expect_operators({128, 15}, with_method(Method::fft), test_device(), Precision::float32, 1);
}

TEST(TransferOperators, AreTheirFormulasWithLinesOfWorkGroups)
{
    expect_operators({24, 30}, in_general_programs(with_method(Method::fft)), small_gpu());
    Decisions packed = in_general_programs(with_method(Method::fft));
    packed.packing = Packing::channels;
    expect_operators({24, 30}, packed, small_gpu());
}

TEST(TransferOperators, AreTheirFormulasThroughGlobalMemory)
{
    expect_operators({24, 30}, with_residence(Residence::global), test_device());
}

TEST(TransferOperators, AreTheirFormulasInDouble)
{
    if (!test_device()->info().traits.has_double) GTEST_SKIP() << "the device has no double";
    expect_operators({64, 24}, with_method(Method::fft), test_device(), Precision::float64);
}

TEST(TransferOperators, OtherMethodsAreRefusedByName)
{
    const Problem problem{.image = {40, 30}, .channels = 2, .psf = {5, 5}, .origin = {2, 2}};
    const DeviceTraits traits = small_gpu()->info().traits;
    const auto refused = [&](const Problem& changed, const Decisions& decisions, const std::string& name) {
        try {
            check_operators(make_plan(changed, traits, decisions));
            ADD_FAILURE() << name;
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
        }
    };
    refused(problem, with_method(Method::direct), "method direct");
    refused(problem, with_method(Method::tiled), "method tiled");
    Problem in_half = problem;
    in_half.precision = Precision::half;
    refused(in_half, with_method(Method::fft), "--precision half");
    Decisions joint = with_method(Method::fft);
    joint.product = Product::gray;
    refused(problem, joint, "product=gray");
}

}  // namespace
}  // namespace clconv::test
