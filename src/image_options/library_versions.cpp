// SPDX-License-Identifier: Apache-2.0
#include "image_options/library_versions.h"

#include <OpenImageIO/oiioversion.h>
#include <fitsio.h>
#include <fmt/format.h>
#include <lcms2.h>

namespace clconv {

std::string library_versions()
{
    constexpr int lcms = LCMS_VERSION;  // 2140 is version 2.14
    return fmt::format("OpenImageIO {}.{}.{}, CFITSIO {}.{}, Little CMS {}.{}", OIIO_VERSION_MAJOR, OIIO_VERSION_MINOR,
                       OIIO_VERSION_PATCH, CFITSIO_MAJOR, CFITSIO_MINOR, lcms / 1000, lcms / 10 % 100);
}

}  // namespace clconv
