// SPDX-License-Identifier: Apache-2.0
// Warnings about samples that are not read as they are stored, or whose meaning is unusual. Private to
// src/codecs.
#pragma once

#include "base/warning.h"
#include "codecs/decoding.h"

#include <filesystem>
#include <vector>

namespace clconv::oiio {

[[nodiscard]] std::vector<Warning> warnings_of(const std::filesystem::path& path, const Metadata& metadata);

}  // namespace clconv::oiio
