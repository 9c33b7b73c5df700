// SPDX-License-Identifier: Apache-2.0
// The origin of a PSF: `--psf-origin`.
#pragma once

#include "psf/psf.h"

#include <string_view>

namespace clconv {

/// A rule for choosing the origin.
struct OriginRule {
    enum class Kind {
        center,    ///< (floor(width / 2), floor(height / 2)), for both odd and even sizes
        peak,      ///< the largest sample of the channels' sum; the first in reading order if several are equal
        centroid,  ///< the nearest sample to the centre of mass of the channels' sum of magnitudes
        fixed,     ///< `position`
    };
    Kind kind = Kind::center;
    Position position;
};

/// Reads "center", "peak", "centroid" or "X,Y". Throws InvalidProblem with the value found and the value wanted.
[[nodiscard]] OriginRule parse_origin(std::string_view text);

/// The origin that `rule` gives. Throws InvalidProblem if a fixed position is outside of the PSF.
[[nodiscard]] Position origin_of(const Psf& psf, const OriginRule& rule);

/// A position between samples.
struct Centroid {
    double x = 0;
    double y = 0;
};

/// The centre of mass of the magnitudes of all channels, in samples. The geometric centre if all samples are 0.
[[nodiscard]] Centroid centroid(const Psf& psf);

}  // namespace clconv
