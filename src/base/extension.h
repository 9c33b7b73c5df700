// SPDX-License-Identifier: Apache-2.0
// A file name's extension, in the form of the sets of readable and writable extensions.
#pragma once

#include "base/lower_case.h"

#include <filesystem>
#include <string>

namespace clconv {

/// Lower case, without the dot; empty if there is none: "photo.JPG" -> "jpg".
[[nodiscard]] inline std::string extension_of(const std::filesystem::path& path)
{
    std::string extension = lower_case(path.extension().string());
    if (!extension.empty()) extension.erase(0, 1);
    return extension;
}

/// An extension as typed, with or without its dot, as the end of a file's name: "exr" and ".exr" -> "name.exr".
[[nodiscard]] inline std::string name_with(const std::string& extension)
{
    return (extension.starts_with('.') ? "name" : "name.") + extension;
}

}  // namespace clconv
