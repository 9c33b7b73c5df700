// SPDX-License-Identifier: Apache-2.0
// The number that stands for missing samples in a file of measurements, such as an elevation model: `--nodata`.
//
// Samples of this value become NaN when a file is read, so that `--nonfinite` treats them. Results that are NaN get
// the value again when they are written.
#pragma once

#include "base/fields.h"
#include "base/file_type.h"

#include <optional>
#include <string>

namespace clconv {

/// Which number it is.
struct NodataRule {
    enum class Source {
        none,  ///< no number
        tag,   ///< that of the file's GDAL_NODATA tag (42113), if it has one
        given  ///< `value`, for every file
    };
    Source source = Source::none;
    double value = 0;
    std::string text = {};  ///< of `value`
};

/// The nodata value of an image.
struct Nodata {
    double value = 0;                   ///< in the numbers of the file: codes of integers
    FileType type = FileType::float32;  ///< of the file's samples, which hold it
    bool is_of_file = false;            ///< its tag says so
    std::string text = {};              ///< the number as it was written

    friend bool operator==(const Nodata&, const Nodata&) = default;
};

CLCONV_FIELDS(Nodata, value, type, is_of_file, text)

/// "nodata -9999"
[[nodiscard]] std::string in_words(const Nodata& nodata);

/// The value nearest to `value` that samples of this type hold, if it is the same number for users of the file: whole
/// numbers exactly, others except for rounding. Else none: 300 and 0.5 in 8 bits.
[[nodiscard]] std::optional<double> held_value(FileType type, double value);

/// What stands for missing samples in a result of type `type`: the same number if samples keep their meaning, and a
/// scaled one from codes to other codes. None if the type does not hold it; then they are NaN, or 0 in integers.
[[nodiscard]] std::optional<double> nodata_in(const Nodata& nodata, FileType type);

}  // namespace clconv
