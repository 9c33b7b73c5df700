// SPDX-License-Identifier: Apache-2.0
// A text file as a PSF, through all that is made of it before a device sees it.
#include "psf/text_psf.h"

#include "base/errors.h"
#include "promise.h"
#include "psf/normalize.h"
#include "psf/origin.h"

#include <cmath>

using namespace clconv;

namespace {

/// Refuses with one of the two errors that name the file, or gives a PSF whose weights floats hold.
void use(const Psf& psf, Normalization how, std::string_view origin)
{
    try {
        const Psf whole = normalized(psf, how);
        const Position place = origin_of(whole, parse_origin(origin));
        hostile::promise(place.x >= 0 && place.x < whole.extent.width, "the origin lies in the PSF");
        hostile::promise(place.y >= 0 && place.y < whole.extent.height, "the origin lies in the PSF");
        for (const double weight : whole.weights)
            hostile::promise(std::isfinite(static_cast<float>(weight)), "weights are finite as floats");
    } catch (const InvalidProblem&) {
    } catch (const InputError&) {
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const Psf psf = parse_text_psf(hostile::text_of(data, size), "fuzz.txt");
        hostile::promise(psf.weights.size() == psf.extent.pixels(), "as many weights as the extent says");
        use(psf, Normalization::sum, "center");
        use(psf, Normalization::sum_all, "peak");
        use(psf, Normalization::peak, "centroid");
        use(psf, Normalization::none, "0,0");
    } catch (const InputError&) {
    }
    return 0;
}
