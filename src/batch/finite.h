// Refusing images with samples that are not finite.
#pragma once

#include "image/image_file.h"

namespace clconv {

/// Throws InputError saying how many samples of the file at `path` are not finite and where the first is, if any are.
void require_finite(const std::filesystem::path& path, const NonFinite& bad);

}  // namespace clconv
