// SPDX-License-Identifier: Apache-2.0
#include "psf/tones.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clconv {

Psf limited(Psf psf, double maximum)
{
    for (double& value : psf.weights) value = std::min(value, maximum);
    return psf;
}

Psf raised(Psf psf, double power)
{
    for (double& value : psf.weights) {
        if (value < 0)
            throw InvalidProblem(
                fmt::format("has negative values such as {:.6g}, and --psf-power {:g} needs values of at least 0; "
                            "--psf-background 0 makes negative ones 0",
                            value, power));
        value = std::pow(value, power);
    }
    return psf;
}

}  // namespace clconv
