// SPDX-License-Identifier: Apache-2.0
// A picture as part of a page.
#pragma once

#include "image/picture.h"

#include <string>

namespace clconv {

/// "data:image/jpeg;base64,...". Throws InputError if the picture cannot be encoded.
[[nodiscard]] std::string picture_uri(const Picture& picture);

}  // namespace clconv
