// SPDX-License-Identifier: Apache-2.0
// The tone curves of ICC profiles, and the chromaticities of their colours; and profiles made of both. The only part of
// clconv that knows Little CMS.
#pragma once

#include "base/transfer.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clconv::oiio {

struct IccCurves {
    std::string name;               ///< the profile's own name; may be empty
    std::vector<ToneCurve> curves;  ///< of all colours, or of red, green and blue; empty: `why_not`
    std::string why_not;            ///< "it has tables instead of curves"
};

/// The curves of a profile for images of `colours` colours, from codes to light: of a gray profile for one colour, of
/// an RGB profile for three. Does not throw, for any bytes.
[[nodiscard]] IccCurves icc_curves(std::span<const std::byte> profile, int colours);

/// The white to assume for an RGB profile that names only D50, which all profiles are adapted to.
enum class UnsaidWhite { d50, d65 };

/// CIE 1931 x and y of red, green, blue and white of an RGB profile of curves, as they were before they were adapted to
/// the white of profiles. None for other profiles, and for damaged ones. Does not throw.
[[nodiscard]] std::optional<std::array<float, 8>> icc_primaries(std::span<const std::byte> profile, UnsaidWhite unsaid);

/// A profile of these red, green, blue and white, and of one curve for all three, with the same bytes at any time.
/// Empty if there is no such profile: no colours lie between these, or the curve does not end at 1.
[[nodiscard]] std::string icc_profile(const std::array<float, 8>& colours, const ToneCurve::Power& curve,
                                      const std::string& name);

}  // namespace clconv::oiio
