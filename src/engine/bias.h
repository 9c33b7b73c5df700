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

/// One number a channel: the border's value where that is constant; the mean of about 4096 pixels, spread evenly, where
/// the border continues the image; 0 where outside is zero, which a bias would turn into an edge.
[[nodiscard]] std::vector<double> bias_of(const ImageView& image, Border border,
                                          const std::vector<double>& border_value);

}  // namespace clconv
