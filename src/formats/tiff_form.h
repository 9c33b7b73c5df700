// SPDX-License-Identifier: Apache-2.0
// How a page of a TIFF stores its image. Private to stored_form.
#pragma once

#include "formats/stored_form.h"

#include <filesystem>

namespace clconv::oiio {

/// `page`: counted without smaller copies of others.
[[nodiscard]] StoredForm tiff_form(const std::filesystem::path& path, int page);

}  // namespace clconv::oiio
