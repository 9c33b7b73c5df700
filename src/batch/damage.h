// SPDX-License-Identifier: Apache-2.0
// The warning about a file that is damaged and convolved anyway: --damaged keep.
#pragma once

#include "base/warning.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// Adds the warning of the file at `path`, if there is any `damage` (Image::damage).
void warn_of_damage(std::vector<Warning>& warnings, const std::filesystem::path& path, const std::string& damage);

}  // namespace clconv
