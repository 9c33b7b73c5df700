// SPDX-License-Identifier: Apache-2.0
// Checks whether a file claims more than the limits allow, before anything of it is decoded. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"
#include "formats/file_claims.h"
#include "image/decode_rules.h"
#include "image/image.h"

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// Checks the claims of its head, before a library opens it: size, memory of its decoder, and whether a file of its
/// length can hold that many pixels. Throws InputError with the file, its claim and the limit.
void check_claims(const std::filesystem::path& path, const DecodeRules& rules);

/// Checks what the library found: size, strips and tiles, and whether an uncompressed file is long enough. Throws
/// likewise.
void check_header(const std::filesystem::path& path, const FileHeader& header, const std::string& format,
                  const DecodeRules& rules);

/// Checks an image whose samples will be held at once. Throws likewise.
void check_samples(const std::filesystem::path& path, const Image& header, const DecodeRules& rules);

}  // namespace clconv::oiio
