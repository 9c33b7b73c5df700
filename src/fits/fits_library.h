// SPDX-License-Identifier: Apache-2.0
// Which library reads and writes FITS files.
#pragma once

#include <string>

namespace clconv::fits {

/// "CFITSIO 4.2"
[[nodiscard]] std::string library();

}  // namespace clconv::fits
