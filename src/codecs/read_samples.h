// SPDX-License-Identifier: Apache-2.0
// The samples of an image whose header is read, and whether its decoder gave all of them. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"
#include "codecs/image_file.h"
#include "image/decode_rules.h"

#include <filesystem>

namespace clconv::oiio {

/// Reads the samples of `image`, to which `input` has gone: those that are convolved, and those that are only copied.
/// Throws InputError if they are damaged; under rules that keep them, Image::damage says why.
void read_samples(const std::filesystem::path& path, Decoder& input, const AllocateSamples& allocate, Image& image,
                  const DecodeRules& rules);

}  // namespace clconv::oiio
