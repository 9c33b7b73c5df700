// SPDX-License-Identifier: Apache-2.0
// Checks that results are numbers that their file can hold.
#pragma once

#include "base/file_type.h"
#include "base/image_view.h"
#include "image/image.h"

#include <cstddef>
#include <filesystem>

namespace clconv {

/// The file of a result, as far as it limits samples.
struct ResultFile {
    FileType type = FileType::float32;
    const Transfer* codes = nullptr;  ///< how it encodes light; none: as sRGB
    bool clips_light = false;         ///< it is intended that integers clip light, as in a bloom
};

/// Rows of a result.
struct ResultRows {
    ImageView samples;
    int first = 0;  ///< the number of the first
};

/// The number of samples of a result that do not fit its file. In a file of halves, these are beyond the largest half,
/// and become infinite. In a file of integers, they are clamped by more than a code, if the result has floats and the
/// file does not clip light; results that are integers already were counted by the device (engine/clamped.h). 0 for
/// files of floats. `rows`: of the result of `image`, whose samples are finite or missing; `input`: its file, for
/// messages. If none is missing, throws InputError if the result has a value that no sum of finite numbers can have:
/// NaN, or an infinite float.
[[nodiscard]] std::size_t count_overflow(const std::filesystem::path& input, const Image& image, const ResultRows& rows,
                                         const ResultFile& file);

}  // namespace clconv
