// SPDX-License-Identifier: Apache-2.0
// The formats of OpenImageIO, as src/openimageio/list_formats_main.cpp found them when clconv was built: to load the
// library for them would take longer than to convolve an image. Private to src/codecs.
#pragma once

#include <span>
#include <string_view>

namespace clconv::oiio {

struct LibraryFormat {
    std::string_view name;        ///< the library's: "jpeg"
    std::string_view extensions;  ///< without dots, the most common first: "jpg,jpe,jpeg"
    bool is_read = false;
    bool is_written = false;
};

[[nodiscard]] std::span<const LibraryFormat> library_formats();

}  // namespace clconv::oiio
