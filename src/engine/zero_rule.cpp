// SPDX-License-Identifier: Apache-2.0
#include "engine/zero_rule.h"

#include "base/light.h"

namespace clconv {

double max_dark(const ZeroRule& rule)
{
    if (!rule.blending.highlights) return 0;
    const Highlights& highlights = *rule.blending.highlights;
    const double light = (highlights.threshold - highlights.knee) * (1 - 1e-5);
    return rule.problem.decode_srgb ? srgb_encoded(light) * (1 - 1e-5) : light;
}

}  // namespace clconv
