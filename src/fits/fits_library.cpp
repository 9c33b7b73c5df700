// SPDX-License-Identifier: Apache-2.0
#include "fits/fits_library.h"

#include <fitsio.h>
#include <cmath>

namespace clconv::fits {

std::string library()
{
    float version = 0;
    ffvers(&version);  // 4.02 is version 4.2
    const long hundredths = std::lround(100 * version);
    return "CFITSIO " + std::to_string(hundredths / 100) + "." + std::to_string(hundredths % 100);
}

}  // namespace clconv::fits
