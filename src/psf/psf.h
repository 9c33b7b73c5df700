// SPDX-License-Identifier: Apache-2.0
// A point-spread function, ready for convolution: normalised, with an origin.
#pragma once

#include "base/extent.h"

#include <cstddef>
#include <string>
#include <vector>

namespace clconv {

/// Samples of a PSF, and its origin.
struct Psf {
    std::string name;  ///< for messages and output names: the file's stem
    Extent extent;
    int channels = 1;             ///< colour channels; an alpha channel of the file is dropped when it is read
    Position origin;              ///< the sample that lands on the output pixel; inside the extent
    std::vector<double> weights;  ///< planar: sample (x, y, c) is number (c * height + y) * width + x
    bool is_bottom_up = false;    ///< its file, and so its `center`, counts rows from the bottom (FITS)
    bool is_matched = false;      ///< it has a channel for each of the image's, alpha included

    [[nodiscard]] double at(int x, int y, int channel) const
    {
        return weights[(static_cast<std::size_t>(channel) * static_cast<std::size_t>(extent.height) +
                        static_cast<std::size_t>(y)) *
                           static_cast<std::size_t>(extent.width) +
                       static_cast<std::size_t>(x)];
    }
};

}  // namespace clconv
