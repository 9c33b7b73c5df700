// SPDX-License-Identifier: Apache-2.0
// A kind of PSF as light on the plane. Every pixel gets its integral.
#pragma once

#include "psf/frame.h"

#include <cstddef>
#include <memory>
#include <numbers>
#include <vector>

namespace clconv {

class Profile {
public:
    virtual ~Profile() = default;

    /// Half the size of a rectangle around the centre that is likely to hold `share` of the light. A bounded shape
    /// returns its bounds, which hold all of it.
    [[nodiscard]] virtual HalfSize reach(double share) const = 0;

    /// 1 or 3 (red, green, blue).
    [[nodiscard]] virtual int channels() const { return 1; }

    /// The integrals over the frame's pixels, row by row. Over the whole plane they would sum to 1.
    [[nodiscard]] virtual std::vector<double> integrals(const Frame& frame, int channel) const = 0;

protected:
    Profile() = default;
    Profile(const Profile&) = default;
    Profile& operator=(const Profile&) = default;
};

using ProfilePtr = std::unique_ptr<const Profile>;

inline constexpr double kPi = std::numbers::pi;

[[nodiscard]] constexpr double radians(double degrees) { return degrees * kPi / 180; }

/// A Gaussian's full width at half maximum over its standard deviation: sqrt(8 ln 2).
inline constexpr double kFwhmOfSigma = 2.3548200450309493;

}  // namespace clconv
