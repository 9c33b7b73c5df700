// SPDX-License-Identifier: Apache-2.0
// Any bytes as an ICC profile, and what is then done with its curves.
#include "formats/icc_curve.h"

#include "promise.h"

#include <cmath>
#include <span>

using namespace clconv;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    for (const int colours : {1, 3}) {
        const oiio::IccCurves found = oiio::icc_curves(std::as_bytes(std::span(data, size)), colours);
        hostile::promise(found.curves.empty() != found.why_not.empty(), "curves, or why there are none");
        if (found.curves.empty()) continue;
        hostile::promise(found.curves.size() == 1 || static_cast<int>(found.curves.size()) == colours,
                         "one curve for all, or one a colour");
        for (const ToneCurve& curve : found.curves) {
            double before = curve.decoded(0);
            for (int step = 0; step <= 255; ++step) {
                const double light = curve.decoded(step / 255.0);
                const double code = curve.encoded(light);
                hostile::promise(std::isfinite(light) && std::isfinite(code), "lights and codes are finite");
                hostile::promise(code <= 1 + 1e-3, "light of codes has codes, or what black is made of");
                hostile::promise(!std::isnan(curve.encoded(step / 255.0)),
                                 "all light has a code, perhaps far beyond white");
                hostile::promise(light >= before - 1e-3, "light rises");
                before = light;
            }
        }
    }
    return 0;
}
