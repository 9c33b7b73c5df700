// SPDX-License-Identifier: Apache-2.0
// The whole of OpenImageIO behind one interface. Only this folder includes its header of codecs.
//
// It is a module of its own, libclconv_openimageio.so, which is loaded when codec_library() is first called. Programs
// that link the folder, such as tests, have codec_library() from it.
#pragma once

#include "codecs/codec_library.h"

/// Made at the first call. Threads may use it at once.
extern "C" clconv::oiio::CodecLibrary* clconv_open_image_io();
