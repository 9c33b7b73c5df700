// The tone curves of ICC profiles. The only part of clconv that knows Little CMS. Private to src/image.
#pragma once

#include "base/transfer.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clconv::oiio {

struct IccCurves {
    std::string name;               ///< that the profile has for itself; may be empty
    std::vector<ToneCurve> curves;  ///< of all colours, or of red, green and blue; empty: `why_not`
    std::string why_not;            ///< "it has tables instead of curves"
};

/// The curves of a profile for images of `colours` colours, which makes light of codes: a gray one for one colour, an
/// RGB one for three. Does not throw, whatever the bytes are.
[[nodiscard]] IccCurves icc_curves(std::span<const std::byte> profile, int colours);

}  // namespace clconv::oiio
