// SPDX-License-Identifier: Apache-2.0
// Filters on a torus by Fourier sums in double: the reference for everything that is made of transfers.
#pragma once

#include "fft/reference_dft.h"
#include "psf/psf.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <span>
#include <vector>

namespace clconv::test {

using ComplexValues = std::vector<std::complex<double>>;

/// The transform of [height][width] values along both axes, without a scale.
inline ComplexValues transformed(ComplexValues values, Extent extent, Direction way)
{
    const auto width = static_cast<std::size_t>(extent.width), height = static_cast<std::size_t>(extent.height);
    for (std::size_t y = 0; y < height; ++y) {
        const auto row = reference_dft(std::span<const std::complex<double>>(values).subspan(y * width, width), way);
        std::copy(row.begin(), row.end(), values.begin() + static_cast<std::ptrdiff_t>(y * width));
    }
    for (std::size_t x = 0; x < width; ++x) {
        ComplexValues column;
        for (std::size_t y = 0; y < height; ++y) column.push_back(values[y * width + x]);
        const auto made = reference_dft(column, way);
        for (std::size_t y = 0; y < height; ++y) values[y * width + x] = made[y];
    }
    return values;
}

/// The spectrum of a PSF's channel, with its origin at 0. Samples beyond the torus wrap.
inline ComplexValues spectrum_of(const Psf& psf, int channel, Extent torus)
{
    ComplexValues values(torus.pixels());
    const auto wrapped = [](int position, int length) { return ((position % length) + length) % length; };
    for (int j = 0; j < psf.extent.height; ++j)
        for (int i = 0; i < psf.extent.width; ++i) {
            const int x = wrapped(i - psf.origin.x, torus.width), y = wrapped(j - psf.origin.y, torus.height);
            values[static_cast<std::size_t>(y) * torus.width + x] += psf.at(i, j, channel);
        }
    return transformed(values, torus, Direction::forward);
}

/// The five-point Laplacian.
inline Psf laplacian(int channels)
{
    Psf psf{"laplacian", {3, 3}, channels, {1, 1}, {}};
    for (int c = 0; c < channels; ++c) psf.weights.insert(psf.weights.end(), {0, -1, 0, -1, 4, -1, 0, -1, 0});
    return psf;
}

struct Spectra {
    ComplexValues psf, laplacian;
};
/// The transfer at frequency number i.
using Transfer = std::function<std::complex<double>(std::size_t i, const Spectra& spectra)>;

/// The values, filtered.
inline ComplexValues on_torus(ComplexValues values, Extent torus, const Transfer& transfer, const Psf& psf, int channel)
{
    const Spectra spectra{spectrum_of(psf, channel, torus), spectrum_of(laplacian(1), 0, torus)};
    values = transformed(std::move(values), torus, Direction::forward);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] *= transfer(i, spectra) / static_cast<double>(torus.pixels());
    return transformed(std::move(values), torus, Direction::inverse);
}

}  // namespace clconv::test
