// What is subtracted from an image before it is transformed.
//
// A transform's rounding errors are relative to the loudest thing in it, which in a photograph is its mean: without
// it, errors are relative to the detail. Any number gives the right result, so a sample of the pixels will do; it must
// only be the same for the same image.
#pragma once

#include "base/image_view.h"
#include "conv/border.h"

#include <vector>

namespace clconv {

/// One number a channel: the border's value where that is constant; 0 where outside is zero, which a bias would turn
/// into an edge; else the mean of about 4096 pixels, spread evenly.
/// In linear light where image.light says that the convolution is: a border's value is a code as the image's samples
/// are, but for alpha.
[[nodiscard]] std::vector<double> bias_of(const ImageView& image, Border border,
                                          const std::vector<double>& border_value, int alpha_channel = -1);

/// The largest magnitude among the image's finite samples; 1 for integers.
[[nodiscard]] double largest_magnitude(const ImageView& image);

/// What brings the bias back after a convolution with a PSF channel of this sum. Under renormalize the PSF's samples
/// outside the image are left out of numerator and denominator alike, and the bias comes back as it is.
[[nodiscard]] double restored_bias(double bias, double psf_sum, Border border);

}  // namespace clconv
