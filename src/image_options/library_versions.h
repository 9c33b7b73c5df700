// SPDX-License-Identifier: Apache-2.0
// The libraries that read and write image files. None is loaded to tell.
#pragma once

#include <string>

namespace clconv {

/// With the versions that clconv was built with: "OpenImageIO 2.4.7, CFITSIO 4.2, Little CMS 2.14".
[[nodiscard]] std::string library_versions();

}  // namespace clconv
