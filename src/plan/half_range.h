// Powers of two that keep what is stored as halves within their range, whatever the image and the PSF hold.
//
// A half reaches 65504; below 2^-14 it loses digits. So everything that is stored is scaled to stay below 2^15 in the
// worst case, which leaves 29 powers of two between that case and the first digit lost. The worst cases are sums of
// magnitudes:
//     spectra of rows      2 * (sum over a row's loaded positions of |sample|), the 2 by the split of two rows
//     transfer             2 * (sum of |weight|)
//     spectra of results   rows * transfer * column length: the column pass scales them down before it stores them
// A power of two changes no digit; all of them are undone by one factor when the result is stored.
#pragma once

namespace clconv {

/// For samples of at most `magnitude`, `loaded` of which stand in a row.
[[nodiscard]] double half_sample_scale(double magnitude, int loaded);

/// For the weights of a PSF channel whose magnitudes sum up to `sum`.
[[nodiscard]] double half_psf_scale(double sum);

/// For what the column pass stores, its columns `length` long.
[[nodiscard]] double half_column_scale(int length);

}  // namespace clconv
