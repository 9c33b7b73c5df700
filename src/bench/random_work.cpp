// SPDX-License-Identifier: Apache-2.0
#include "bench/random_work.h"

#include "base/sample_value.h"
#include "conv/axis.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

namespace clconv {
namespace {

Bytes random_image(const Problem& p, std::mt19937& engine)
{
    const std::size_t samples = p.image.pixels() * static_cast<std::size_t>(p.channels);
    Bytes image(samples * bytes_of(p.input));
    // Making numbers takes longer than all else of a trial of a large image.
    const std::size_t different = std::min(samples, std::size_t{1} << 23 | 1);
    for (std::size_t i = 0; i < different; ++i) {
        const auto bits = static_cast<std::uint32_t>(engine());
        switch (p.input) {
            case SampleType::u8: image.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(bits >> 24); break;
            case SampleType::u16: image.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(bits >> 16); break;
            // Below 0x3c00, which is the half of 1. All bit patterns are equally likely, so small numbers are common.
            case SampleType::half:
                image.as<std::uint16_t>()[i] = static_cast<std::uint16_t>((bits >> 16) % 0x3c00);
                break;
            case SampleType::float64: image.as<double>()[i] = bits * 0x1p-32; break;
            case SampleType::float32: image.as<float>()[i] = static_cast<float>(bits >> 8) * 0x1p-24f; break;
        }
    }
    const std::size_t block = different * bytes_of(p.input);
    for (std::size_t at = block; at < image.size(); at += block)
        std::memcpy(image.data() + at, image.data(), std::min(block, image.size() - at));
    return image;
}

Psf random_psf(const Problem& p, std::mt19937& engine)
{
    Psf psf{"random", p.psf, p.psf_channels, p.origin, {}};
    std::uniform_real_distribution<double> uniform(0.1, 1);
    psf.weights.resize(p.psf.pixels() * static_cast<std::size_t>(p.psf_channels));
    for (double& weight : psf.weights) weight = uniform(engine);
    for (int c = 0; c < p.psf_channels; ++c) {
        const auto begin = psf.weights.begin() + static_cast<std::ptrdiff_t>(c * p.psf.pixels());
        const auto end = begin + static_cast<std::ptrdiff_t>(p.psf.pixels());
        double sum = 0;
        std::for_each(begin, end, [&](double weight) { sum += weight; });
        std::for_each(begin, end, [&](double& weight) { weight /= sum; });
    }
    return psf;
}

/// The index of a sample in an image of this extent.
std::size_t sample_index(const Problem& p, Extent extent, std::size_t pixel, int channel)
{
    return p.layout == Layout::planar ? channel * extent.pixels() + pixel : pixel * p.channels + channel;
}

/// The convolution at one output sample, by its definition.
double direct_at(const Problem& p, const RandomWork& work, Position output, int channel)
{
    const int x = output.x + first_output(along_x(p));
    const int y = output.y + first_output(along_y(p));
    double sum = 0, covered = 0;
    for (int j = 0; j < p.psf.height; ++j) {
        const auto source_y = source_index(p.border, y - (j - p.origin.y), p.image.height);
        if (!source_y) continue;
        for (int i = 0; i < p.psf.width; ++i) {
            const auto source_x = source_index(p.border, x - (i - p.origin.x), p.image.width);
            if (!source_x) continue;
            const double weight = work.psf.at(i, j, channel % p.psf_channels);
            const std::size_t pixel = static_cast<std::size_t>(*source_y) * p.image.width + *source_x;
            sum += weight * sample_value(work.image.data(), p.input, sample_index(p, p.image, pixel, channel));
            covered += weight;
        }
    }
    return mode_of(p.border).divides_by_coverage ? sum / covered : sum;
}

}  // namespace

RandomWork random_work(const Problem& problem)
{
    std::mt19937 engine(20260101);
    Bytes image = random_image(problem, engine);
    return {std::move(image), random_psf(problem, engine)};
}

ReferenceSamples reference_samples(const Problem& problem, const RandomWork& work)
{
    const Extent output = output_extent(problem);
    std::mt19937 engine(7);
    ReferenceSamples reference;
    reference.positions = {
        {0, 0}, {output.width - 1, 0}, {0, output.height - 1}, {output.width - 1, output.height - 1}};
    const auto taps = static_cast<double>(problem.psf.pixels());
    const int count = static_cast<int>(std::clamp(2e7 / taps, 50.0, 400.0));
    for (int i = 0; i < count; ++i)
        reference.positions.push_back({static_cast<int>(engine() % static_cast<unsigned>(output.width)),
                                       static_cast<int>(engine() % static_cast<unsigned>(output.height))});
    for (const Position at : reference.positions)
        for (int c = 0; c < problem.channels; ++c) reference.values.push_back(direct_at(problem, work, at, c));
    return reference;
}

void ReferenceSamples::for_each_run(const Problem& problem,
                                    const std::function<void(std::size_t, std::size_t)>& read) const
{
    const Extent output = output_extent(problem);
    const bool planar = problem.layout == Layout::planar;
    for (const Position at : positions) {
        const std::size_t pixel = static_cast<std::size_t>(at.y) * output.width + at.x;
        for (int c = 0; c < (planar ? problem.channels : 1); ++c)
            read(sample_index(problem, output, pixel, c), planar ? 1 : problem.channels);
    }
}

double relative_error(const Problem& problem, const ReferenceSamples& reference, const Bytes& result)
{
    const Extent output = output_extent(problem);
    double error = 0, norm = 0;
    const double* wanted = reference.values.data();
    for (const Position at : reference.positions)
        for (int c = 0; c < problem.channels; ++c, ++wanted) {
            const std::size_t pixel = static_cast<std::size_t>(at.y) * output.width + at.x;
            const double found = sample_value(result.data(), problem.output, sample_index(problem, output, pixel, c));
            error += (found - *wanted) * (found - *wanted);
            norm += *wanted * *wanted;
        }
    return std::sqrt(error / norm);
}

double relative_error(const Problem& problem, const RandomWork& work, const Bytes& result)
{
    return relative_error(problem, reference_samples(problem, work), result);
}

}  // namespace clconv
