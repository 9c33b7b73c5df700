// SPDX-License-Identifier: Apache-2.0
// The convolution by its definition, in double: the reference for tests of every method.
#pragma once

#include "conv/problem.h"

#include <span>
#include <vector>

namespace clconv {

/// out[y][x][c] = sum over j, i of K[c][j][i] I[y - (j - oy)][x - (i - ox)][c], with the problem's border.
/// `image`: interleaved, image.pixels() * channels; `psf`: planar, psf_channels * psf.pixels();
/// `border_value`: if the border has_own_value(), [channels]. The result is interleaved. O(pixels * PSF).
[[nodiscard]] std::vector<double> direct_reference(const Problem& problem, std::span<const double> image,
                                                   std::span<const double> psf,
                                                   std::span<const double> border_value = {});

}  // namespace clconv
