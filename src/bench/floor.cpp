// SPDX-License-Identifier: Apache-2.0
#include "bench/floor.h"

#include "passes/pass_names.h"

namespace clconv {

namespace {

constexpr std::uint64_t kTileComplexBytes = 8;  // in float, also where spectra are stored in half

/// Bytes of the samples of an image and of its result.
struct SampleBytes {
    std::uint64_t in = 0;
    std::uint64_t out = 0;
};

std::vector<PassBytes> bytes_of_method(const FftPlan& fft, const Plan& plan, const SampleBytes& samples)
{
    const Problem& p = plan.problem;
    const std::uint64_t complex_bytes = stored_complex_bytes(p.precision);
    const auto columns = static_cast<std::uint64_t>(fft.spectrum.columns);
    const auto planes = static_cast<std::uint64_t>(fft.planes_of(p.channels));
    const std::uint64_t spectra_in = planes * columns * p.image.height * complex_bytes;
    const std::uint64_t spectra_out = planes * columns * plan.output.height * complex_bytes;
    const std::uint64_t transfer = columns * fft.y.length * fft.planes_of(p.psf_channels) * complex_bytes;
    return {{pass::kRows, samples.in + spectra_in},
            {pass::kColumns, spectra_in + transfer + spectra_out},
            {pass::kRowsBack, spectra_out + samples.out}};
}

std::vector<PassBytes> bytes_of_method(const TilePlan& tiles, const Plan& plan, const SampleBytes& samples)
{
    const std::uint64_t transfer = tiles.size.pixels() * plan.problem.psf_channels * kTileComplexBytes;
    return {{pass::kTiled, samples.in + samples.out + transfer}};
}

std::vector<PassBytes> bytes_of_method(const DirectPlan& /*direct*/, const Plan& /*plan*/, const SampleBytes& samples)
{
    return {{pass::kDirect, samples.in + samples.out}};
}

}  // namespace

std::vector<PassBytes> pass_bytes(const Plan& plan)
{
    const Problem& p = plan.problem;
    const auto channels = static_cast<std::uint64_t>(p.channels);
    const SampleBytes samples{channels * p.image.pixels() * bytes_of(p.input),
                              channels * plan.output.pixels() * bytes_of(p.output)};
    return std::visit([&](const auto& how) { return bytes_of_method(how, plan, samples); }, plan.how);
}

}  // namespace clconv
