// SPDX-License-Identifier: Apache-2.0
// The attributes of an OpenEXR file that the library does not read.
//
// After "OpenEXR File Layout" (Academy Software Foundation, 2024).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

/// Their names, of all parts, each once: those of types that programs made up, and what kind of map of surroundings the
/// image is. None behind what is damaged.
[[nodiscard]] std::vector<std::string> unread_attributes(const std::filesystem::path& path);

}  // namespace clconv::oiio
