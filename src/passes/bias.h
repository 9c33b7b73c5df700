// SPDX-License-Identifier: Apache-2.0
// The bias: a value that is subtracted from an image before it is transformed.
//
// A transform's rounding errors are relative to its largest value, which in a photograph is the mean. Without the mean,
// errors are relative to the detail. Any bias gives the right result, so a sample of the pixels is enough. But it must
// always be the same for the same image.
#pragma once

#include "base/image_view.h"
#include "conv/border.h"

#include <vector>

namespace clconv {

/// One number a channel. For a constant border, it is the border's value. It is 0 for the zero border, because a bias
/// would create an edge there. Otherwise it is the mean of about 1024 evenly spread pixels. It is in linear light if
/// image.light says so: a border's value is then a code like the image's samples, except for alpha.
[[nodiscard]] std::vector<double> bias_of(const ImageView& image, Border border,
                                          const std::vector<double>& border_value);

/// The largest magnitude among the image's finite samples; 1 for integers.
[[nodiscard]] double largest_magnitude(const ImageView& image);

/// The value that restores the bias after a convolution with a PSF channel of this sum. With renormalize, the PSF's
/// samples outside of the image are missing in both numerator and denominator, so the bias is restored unchanged.
[[nodiscard]] double restored_bias(double bias, double psf_sum, Border border);

}  // namespace clconv
