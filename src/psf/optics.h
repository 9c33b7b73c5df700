// SPDX-License-Identifier: Apache-2.0
// The size of a diffraction pattern of a lens.
#pragma once

#include "psf/kinds.h"

namespace clconv {

/// The first zero of J1, over pi: the first dark ring's radius in wavelengths times f-number.
inline constexpr double kFirstDarkRing = 1.2196698912665045;

/// Wavelength times f-number in pixels: from fnumber, wavelength and pitch, or from the radius of the first dark ring.
/// Throws InvalidProblem if neither or both are given.
[[nodiscard]] double spot_scale(const KindArguments& arguments);

}  // namespace clconv
