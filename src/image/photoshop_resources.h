// Photoshop's image resources, as JPEG and TIFF files have them. Private to src/image.
#pragma once

#include <string>

namespace clconv::oiio {

/// `resources` without the thumbnails among them. Resources that are not made as they should, as where a block goes on
/// in the next segment of a JPEG, stay as they are.
[[nodiscard]] std::string without_photoshop_thumbnail(const std::string& resources);

}  // namespace clconv::oiio
