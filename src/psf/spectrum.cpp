// SPDX-License-Identifier: Apache-2.0
#include "psf/spectrum.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

constexpr double kMinWavelength = 0.39;
constexpr double kMaxWavelength = 0.70;

/// A lobe of the fits: a Gaussian with a width of its own on each side, in nanometres.
double lobe(double nm, double peak, double left, double right)
{
    const double t = (nm - peak) / (nm < peak ? left : right);
    return std::exp(-t * t / 2);
}

std::array<double, 3> xyz_of(double nm)
{
    return {
        1.056 * lobe(nm, 599.8, 37.9, 31.0) + 0.362 * lobe(nm, 442.0, 16.0, 26.7) - 0.065 * lobe(nm, 501.1, 20.4, 26.2),
        0.821 * lobe(nm, 568.8, 46.9, 40.5) + 0.286 * lobe(nm, 530.9, 16.3, 31.1),
        1.217 * lobe(nm, 437.0, 11.8, 36.0) + 0.681 * lobe(nm, 459.0, 26.0, 13.8)};
}

/// IEC 61966-2-1.
std::array<double, 3> linear_srgb_of(const std::array<double, 3>& xyz)
{
    const auto& [x, y, z] = xyz;
    return {3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z,
            0.0557 * x - 0.2040 * y + 1.0570 * z};
}

LightSpectrum scaled(LightSpectrum spectrum)
{
    for (int channel = 0; channel < 3; ++channel) {
        double sum = 0;
        for (const Wavelength& w : spectrum.wavelengths) sum += w.weights.at(channel);
        if (!(sum > 0)) throw InvalidProblem("the spectrum has no light for one of red, green and blue");
        for (Wavelength& w : spectrum.wavelengths) w.weights.at(channel) /= sum;
    }
    return spectrum;
}

}  // namespace

LightSpectrum cie_spectrum(int steps)
{
    LightSpectrum spectrum;
    for (int i = 0; i < steps; ++i) {
        const double micrometres = kMinWavelength + (kMaxWavelength - kMinWavelength) * (i + 0.5) / steps;
        std::array<double, 3> rgb = linear_srgb_of(xyz_of(1000 * micrometres));
        for (double& weight : rgb) weight = std::max(weight, 0.0);
        spectrum.wavelengths.push_back({micrometres, rgb});
    }
    return scaled(std::move(spectrum));
}

LightSpectrum given_spectrum(const Psf& table)
{
    constexpr int columns = 4;
    constexpr int maximum = 1000;
    if (table.extent.width != columns || table.extent.height > maximum)
        throw InvalidProblem(
            fmt::format("a spectrum is up to {} rows of four numbers: wavelength in um, red, green, "
                        "blue; {} numbers in {} rows were found",
                        maximum, table.extent.width, table.extent.height));
    LightSpectrum spectrum;
    for (int row = 0; row < table.extent.height; ++row) {
        const Wavelength w{table.at(0, row, 0), {table.at(1, row, 0), table.at(2, row, 0), table.at(3, row, 0)}};
        const bool weighted =
            std::ranges::all_of(w.weights, [](double weight) { return weight >= 0 && weight <= 1e6; });
        if (!(w.micrometres >= 0.1 && w.micrometres <= 20) || !weighted)
            throw InvalidProblem(
                fmt::format("row {} of the spectrum: {:g} {:g} {:g} {:g}; wanted are a wavelength from "
                            "0.1 to 20 um and weights from 0 to 1e6",
                            row + 1, w.micrometres, w.weights[0], w.weights[1], w.weights[2]));
        spectrum.wavelengths.push_back(w);
    }
    return scaled(std::move(spectrum));
}

}  // namespace clconv
