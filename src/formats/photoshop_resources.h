// SPDX-License-Identifier: Apache-2.0
// Photoshop's image resources, as JPEG and TIFF files have them, and the IPTC among them.
#pragma once

#include <string>

namespace clconv::oiio {

/// Returns `resources` without thumbnails. From a resource on that is not valid by itself, such as one that continues
/// in the next segment of a JPEG, all are unchanged.
[[nodiscard]] std::string without_photoshop_thumbnail(const std::string& resources);

/// The block of IPTC (IIM 4.2) among them; empty if there is none.
[[nodiscard]] std::string iptc_in(const std::string& resources);
/// The resources that hold this IPTC alone.
[[nodiscard]] std::string resources_of_iptc(const std::string& iptc);

/// A block of IPTC that OpenImageIO made of texts in UTF-8, with the field that says so (1:90), without which readers
/// take them for another encoding. Unchanged if all is ASCII, if not all is UTF-8, or if the block has the field.
[[nodiscard]] std::string with_character_set(const std::string& iptc);

}  // namespace clconv::oiio
