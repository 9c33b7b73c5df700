// SPDX-License-Identifier: Apache-2.0
// For programs that link this folder. The module of image files has another codec_library(), which loads it.
#include "codecs/codec_library.h"
#include "openimageio/open_image_io.h"

namespace clconv::oiio {

CodecLibrary& codec_library() { return *clconv_open_image_io(); }

}  // namespace clconv::oiio
