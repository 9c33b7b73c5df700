// SPDX-License-Identifier: Apache-2.0
// Chooses a file's channels for convolution, and reads the two kinds separately. Private to src/codecs.
#pragma once

#include "codecs/decoding.h"
#include "image/channel_rule.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

/// Reduces `image`, the header of a whole file, to the channels of the rules, with a split if any are left out. Alpha
/// is included, and kept, if colours need it: because the file's are not multiplied by it, or because they are decoded
/// to light. Throws InputError with a list of the channels if a pattern matches none.
/// A rule that lists no pattern requests a copy: if a convolution would change samples by preparing them, no channel is
/// convolved, and `metadata`, which is the image's, says so.
void split_channels(const std::filesystem::path& path, const ChannelRule& rule, Metadata& metadata, Image& image);

/// A pixel of the file whose samples are missing: NaN in floats and halves, 0 in integers.
[[nodiscard]] std::vector<std::byte> missing_pixel(const FileHeader& header);

/// Reads rows first .. first + count - 1 of a file with a split: convolved channels as from.header.type to `samples`,
/// the others as they are to `kept`. Returns why samples are missing, as fill_samples(), and throws as it does.
[[nodiscard]] std::string read_split_rows(const Decoding& from, int first, int count, std::byte* samples,
                                          std::byte* kept);

}  // namespace clconv::oiio
