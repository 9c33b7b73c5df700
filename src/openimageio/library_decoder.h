// SPDX-License-Identifier: Apache-2.0
// A decoder of OpenImageIO.
#pragma once

#include "codecs/decoder.h"

#include <OpenImageIO/imageio.h>

#include <memory>

namespace clconv::oiio {

[[nodiscard]] std::unique_ptr<Decoder> make_decoder(std::unique_ptr<OIIO::ImageInput> input);

}  // namespace clconv::oiio
