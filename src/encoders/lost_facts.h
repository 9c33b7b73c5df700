// SPDX-License-Identifier: Apache-2.0
// What a file says about its samples or its encoding, and its output cannot say. Private to src/encoders.
#pragma once

#include "base/warning.h"
#include "image/image.h"
#include "image/write_options.h"

#include <filesystem>
#include <vector>

namespace clconv::oiio {

/// Warnings, for an output at `path` of an image that has metadata: the palette, fewer bits, channels and alpha of any
/// input; the tables of a JPEG that are of no quality, chunks of a PNG about the old samples, and attributes of an
/// OpenEXR file that the library does not read, if the output has the same format.
[[nodiscard]] std::vector<Warning> lost_facts(const Image& image, const std::filesystem::path& path,
                                              const WriteOptions& options);

}  // namespace clconv::oiio
