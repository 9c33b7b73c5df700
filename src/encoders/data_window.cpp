// SPDX-License-Identifier: Apache-2.0
#include "encoders/data_window.h"

#include "codecs/decoding.h"

#include <fmt/format.h>

namespace clconv {

std::string gap_in_frame(const Image& image)
{
    if (!image.metadata) return {};
    const oiio::FileHeader& spec = image.metadata->spec;
    const bool is_filled = spec.x <= spec.full_x && spec.y <= spec.full_y &&
                           spec.x + spec.width >= spec.full_x + spec.full_width &&
                           spec.y + spec.height >= spec.full_y + spec.full_height;
    if (is_filled) return {};
    return fmt::format("its data window ({}x{} at {},{}) does not fill its frame ({}x{})", spec.width, spec.height,
                       spec.x - spec.full_x, spec.y - spec.full_y, spec.full_width, spec.full_height);
}

}  // namespace clconv
