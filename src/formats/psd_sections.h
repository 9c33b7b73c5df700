// SPDX-License-Identifier: Apache-2.0
// What the sections before a PSD's picture claim: its resources and its layers. The library's reader reads all of them
// when it opens a file, and makes room for what they claim.
//
// After "Adobe Photoshop File Formats Specification".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace clconv::oiio {

struct PsdSections {
    /// What cannot be true: a resource or a channel that is longer than the file, or too short for its layer. Empty for
    /// sound files, and for damage that the library notices itself.
    std::string fault;
    std::uint64_t bytes = 0;          ///< memory that the reader takes for them
    bool has_opaque_palette = false;  ///< its colours are indices, and no index means transparent
};

[[nodiscard]] PsdSections psd_sections(const std::filesystem::path& path);

}  // namespace clconv::oiio
