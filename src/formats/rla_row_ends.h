// SPDX-License-Identifier: Apache-2.0
// The last pixels of the rows of RLA files.
//
// OpenImageIO 2.4 packs the bytes of a row into runs. If the last pixel begins a run, it stores the byte before it
// instead.
#pragma once

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// The last column of a picture of integers, row by row, pixel by pixel.
struct RowEnds {
    int width = 0;
    int height = 0;
    int channels = 0;
    int sample_bytes = 0;  ///< 1 or 2
    std::string pixels = {};
};

/// Stores the true last pixels in the complete RLA file at `path`, which has these rows and no others. Throws
/// InputError with the system's reason if the file cannot be changed.
void correct_row_ends(const std::filesystem::path& path, const RowEnds& ends);

}  // namespace clconv::oiio
