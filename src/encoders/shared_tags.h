// SPDX-License-Identifier: Apache-2.0
// Metadata that several formats hold, each by a name of its own: which of a file's tags another format's file lacks.
#pragma once

#include "codecs/decoding.h"
#include "formats/stored_form.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// Adds to the tags of a file what the library found in it: texts and dates of formats that are read by it alone.
/// Of FITS, whether there are other HDUs. Of texts, whether the format of the output cuts them.
void add_read_tags(const oiio::FileHeader& header, std::string_view output, std::set<std::string>& tags);

/// Adds a tag to the form of an animation.
void add_frame_times(const std::filesystem::path& path, oiio::StoredForm& form);

/// The tags of a file `before` that have no counterpart in `after`, a file of another format, by people's names.
/// What other warnings are about, and which program wrote the file, does not count. If Exif is lost, that names all
/// that was in it.
[[nodiscard]] std::vector<std::string> lost_tags(const oiio::StoredForm& before, const oiio::StoredForm& after);

}  // namespace clconv
