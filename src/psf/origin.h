// Where a PSF's origin lies: what `--psf-origin` asks for.
#pragma once

#include "psf/psf.h"

#include <string_view>

namespace clconv {

/// A rule for choosing the origin.
struct OriginRule {
    enum class Kind {
        center,    ///< (floor(width / 2), floor(height / 2)), for odd and even sizes alike
        peak,      ///< the largest sample of the channels' sum; the first in reading order if several are equal
        centroid,  ///< the nearest sample to the centre of mass of the channels' sum of magnitudes
        fixed,     ///< `position`
    };
    Kind kind = Kind::center;
    Position position;
};

/// Reads "center", "peak", "centroid" or "X,Y". Throws InvalidProblem naming what was found and what is wanted.
[[nodiscard]] OriginRule parse_origin(std::string_view text);

/// The origin that `rule` gives. Throws InvalidProblem if a fixed position lies outside the PSF.
[[nodiscard]] Position origin_of(const Psf& psf, const OriginRule& rule);

/// A place between samples.
struct Centroid {
    double x = 0;
    double y = 0;
};

/// The centre of mass of the magnitudes of all channels, in samples. The geometric centre if all samples are 0.
[[nodiscard]] Centroid centroid(const Psf& psf);

}  // namespace clconv
