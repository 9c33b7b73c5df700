// SPDX-License-Identifier: Apache-2.0
// An encoder of OpenImageIO.
#pragma once

#include "codecs/image_output.h"

#include <OpenImageIO/imageio.h>

#include <memory>

namespace clconv::oiio {

[[nodiscard]] std::unique_ptr<ImageOutput> make_output(std::unique_ptr<OIIO::ImageOutput> output);

}  // namespace clconv::oiio
