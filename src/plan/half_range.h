// SPDX-License-Identifier: Apache-2.0
// Powers of two that keep values that are stored as halves within range, for any image and PSF.
//
// A half reaches 65504; below 2^-14 it loses digits. So all stored values are scaled to stay below 2^15 in the worst
// case. That leaves 29 powers of two before digits are lost. The worst cases are sums of magnitudes:
//     spectra of rows      2 * (sum over a row's loaded positions of |sample|), the 2 by the split of two rows
//     transfer             2 * (sum of |weight|)
//     spectra of results   rows * transfer * column length; the column pass scales them down before it stores them
// A power of two changes no digit. One factor undoes all of them when the result is stored.
#pragma once

namespace clconv {

/// For samples of at most `magnitude`, with `loaded` of them in a row.
[[nodiscard]] double half_sample_scale(double magnitude, int loaded);

/// For the weights of a PSF channel whose magnitudes sum up to `sum`.
[[nodiscard]] double half_psf_scale(double sum);

/// For the values that the column pass stores, with columns of `length`.
[[nodiscard]] double half_column_scale(int length);

}  // namespace clconv
