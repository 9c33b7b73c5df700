// The Exif block of a file, which is a small TIFF: what is put right in it, in place. Private to src/image.
#pragma once

#include "base/extent.h"

#include <optional>
#include <string>

namespace clconv::oiio {

/// `block`: from the byte order on. The thumbnail goes: it shows the picture before the convolution, which may have
/// been to hide something. With a `size`, the width and height that the block says become this one. All else stays
/// where it is, byte for byte: maker notes point into the block. A block that is damaged stays as it is from there on.
[[nodiscard]] std::string corrected_exif(std::string block, std::optional<Extent> size);

}  // namespace clconv::oiio
