// SPDX-License-Identifier: Apache-2.0
// The colours of a HEIF picture, which OpenImageIO does not read: its ICC profile, and numbers of ITU-T H.273.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace clconv::oiio {

/// Numbers of ITU-T H.273; 2: not said.
struct CodePoints {
    int primaries = 2;
    int transfer = 2;
};

struct HeifColour {
    std::string profile = {};  ///< of ICC; empty: none
    std::optional<CodePoints> points = {};
};

/// Whether such codes are shown as those of sRGB: those of BT.709 and its like are, many encoders write these numbers
/// for nothing else, and 2 says nothing.
[[nodiscard]] bool is_shown_as_srgb(const CodePoints& points);

/// The properties `colr` of the primary item (ISO 14496-12, 12.1.5). Nothing of a damaged file.
[[nodiscard]] HeifColour heif_colour(const std::filesystem::path& path);

}  // namespace clconv::oiio
