// SPDX-License-Identifier: Apache-2.0
// How light of each wavelength contributes to red, green and blue.
#pragma once

#include "psf/kinds.h"

#include <array>
#include <string>
#include <vector>

namespace clconv {

struct Wavelength {
    double micrometres = 0.55;
    /// Weights in red, green and blue. Each sums to 1 over a spectrum.
    std::array<double, 3> weights = {1, 1, 1};
};

struct LightSpectrum {
    std::vector<Wavelength> wavelengths;
    int channels = 3;
};

/// Light of equal energy at all wavelengths, in `steps` parts from 0.39 to 0.70 um, for the CIE's 1931 standard
/// observer (Wyman, Sloan, Shirley 2013, Journal of Computer Graphics Techniques 2(2), the fit of several lobes) and
/// shown in linear sRGB. Colours that a screen cannot show become the nearest ones: weights below 0 are 0.
[[nodiscard]] LightSpectrum cie_spectrum(int steps);

/// Rows of a wavelength in micrometres and its weights of red, green, blue, each channel scaled to a sum of 1.
/// Throws InvalidProblem if `table` is not four columns wide, or holds wavelengths outside 0.1 to 20, negative weights,
/// or no weight for a channel.
[[nodiscard]] LightSpectrum given_spectrum(const Psf& table);

}  // namespace clconv
