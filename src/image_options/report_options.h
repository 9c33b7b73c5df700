// SPDX-License-Identifier: Apache-2.0
// The options of `clconv report`.
#pragma once

#include "image_options/page_options.h"

#include <cstddef>
#include <string>

namespace clconv {

struct ReportOptions {
    std::string report;  ///< the file
    std::string html;
    std::size_t max_pictured = kMaxPictured;
};

}  // namespace clconv
