// SPDX-License-Identifier: Apache-2.0
// Image files opened by the decoder that reads them correctly. Private to src/codecs.
#pragma once

#include "codecs/codec_library.h"
#include "codecs/decoding.h"
#include "image/decode_rules.h"

#include <filesystem>
#include <memory>
#include <string>

namespace clconv::oiio {

/// Throws InputError that begins with the path.
[[noreturn]] void fail(const std::filesystem::path& path, const std::string& why);

/// Opens a file with hints, except OpenEXR. Inks of a TIFF stay inks: the library converts them to RGB unless inks are
/// requested. Other colours (YCbCr, Lab) are converted. Null if it cannot be decoded.
[[nodiscard]] std::unique_ptr<Decoder> open_plain(const std::filesystem::path& path, OpenHints hints);

/// `view`: the view to read instead of the file, or null. Null if it cannot be decoded.
[[nodiscard]] std::unique_ptr<Decoder> open_input(const std::filesystem::path& path,
                                                  OIIO::Filesystem::IOProxy* view = nullptr);

/// Opens a file of any format, after checking what its header claims; OpenFile::header stays empty. Throws InputError.
[[nodiscard]] OpenFile open_image(const std::filesystem::path& path, const DecodeRules& rules);

}  // namespace clconv::oiio
