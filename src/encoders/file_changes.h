// SPDX-License-Identifier: Apache-2.0
// What an output's file says otherwise than its input's: every unrequested difference, found by reading the
// first bytes of both files after the output is written.
//
// Within one format, any difference is a change, but for codecs that lose less. A request for another format includes
// its way to store samples: what loses nothing there is harmless, by the rules of file_changes.cpp.
#pragma once

#include "base/warning.h"
#include "formats/stored_form.h"
#include "image/image.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace clconv {

/// The changes that the user requested.
struct FormRequest {
    std::optional<SampleType> depth = {};  ///< a type of samples
    bool compression = false;              ///< a codec or a quality
    bool strips_metadata = false;
    bool light = false;  ///< samples are decoded, and encoded as the output's readers expect it
};

/// The differences of one file, from what both store. `input` and `output` name the files in messages.
[[nodiscard]] std::vector<Warning> form_changes(const std::filesystem::path& input, const oiio::StoredForm& before,
                                                const std::filesystem::path& output, const oiio::StoredForm& after,
                                                const FormRequest& requested);

/// How both files of an item store an image. A format that cannot be read so has an empty form.
struct StoredForms {
    int part = 0;  ///< of the input
    oiio::StoredForm before;
    oiio::StoredForm after;
};
/// One for each part that was written in TIFF and OpenEXR, and of the first in other formats.
/// `result`: the header of what was written.
[[nodiscard]] std::vector<StoredForms> stored_forms(const std::filesystem::path& input,
                                                    const std::filesystem::path& output, const Image& result);

/// The type of the samples in a file that stores fewer bits than `believed`; else `believed`.
[[nodiscard]] FileType true_type(const oiio::StoredForm& form, FileType believed);

}  // namespace clconv
