// Whether a file asks for more than it may have, before anything of it is decoded. Private to src/image.
#pragma once

#include "image/decode_rules.h"
#include "image/file_claims.h"
#include "image/image.h"
#include "image/openimageio.h"

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// Of what its head claims, before a library opens it: size, what its decoder would hold, and whether a file of so many
/// bytes can hold so many pixels. Throws InputError naming the file, what it asks for and the limit.
void check_claims(const std::filesystem::path& path, const DecodeRules& rules);

/// Of what the library found: size, strips and tiles, and whether a file that is not compressed is as long as it must
/// be. Throws likewise.
void check_header(const std::filesystem::path& path, const OIIO::ImageSpec& header, const std::string& format,
                  const DecodeRules& rules);

/// Of an image whose samples are to be held at once. Throws likewise.
void check_samples(const std::filesystem::path& path, const Image& header, const DecodeRules& rules);

}  // namespace clconv::oiio
