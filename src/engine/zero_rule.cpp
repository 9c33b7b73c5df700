#include "engine/zero_rule.h"

#include "base/light.h"

namespace clconv {

ZeroRule coarse_rule(ZeroRule rule, const Coarse& coarse)
{
    // Result x lies between small results of which the first sees positions from factor (x / factor) on, and the last
    // sees (small PSF + 3) factor positions from there (coarse.cl).
    const auto seen = [&](int small_psf, int first, int& extent, int& origin) {
        const int last = first + coarse.factor * (small_psf + 3) - 1;
        extent = last - (first - coarse.factor + 1) + 1;
        origin = last;
    };
    seen(coarse.small.psf.width, coarse.first.x, rule.problem.psf.width, rule.problem.origin.x);
    seen(coarse.small.psf.height, coarse.first.y, rule.problem.psf.height, rule.problem.origin.y);
    rule.problem.psf_channels = 1;
    rule.support = std::make_shared<const PsfSupport>(full_support(rule.problem.psf));
    return rule;
}

double most_dark(const ZeroRule& rule)
{
    if (!rule.blending.highlights) return 0;
    const Highlights& highlights = *rule.blending.highlights;
    const double light = (highlights.threshold - highlights.knee) * (1 - 1e-5);
    return rule.problem.decode_srgb ? srgb_encoded(light) * (1 - 1e-5) : light;
}

}  // namespace clconv
