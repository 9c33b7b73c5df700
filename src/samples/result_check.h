// Checks that results are numbers that their file can hold.
#pragma once

#include "base/file_type.h"
#include "base/image_view.h"
#include "image/image.h"

#include <cstddef>
#include <filesystem>

namespace clconv {

/// How many samples of a result its file does not hold: those beyond the largest half, infinite in a file of halves,
/// and those of a result in float that integers clamp by more than a code; 0 for files of floats. Results that are
/// integers already were counted by the device (engine/clamped.h). `result`: of `image`, whose samples are all finite;
/// `input`: its file, for messages. `codes`: how the file encodes light; none: as sRGB. Throws InputError if the result
/// has a value that no sum of finite numbers can have: NaN, or an infinite float.
[[nodiscard]] std::size_t count_overflow(const std::filesystem::path& input, const Image& image,
                                         const ImageView& result, FileType file, const Transfer* codes = nullptr);

}  // namespace clconv
