// SPDX-License-Identifier: Apache-2.0
// Finds the samples of a file that are missing, and writes their value again (image/nodata.h). Private to src/codecs
// and src/encoders.
#pragma once

#include "codecs/decoding.h"
#include "image/nodata.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// The nodata value of a file with this metadata and type; none if it has none, or if its samples cannot have it.
[[nodiscard]] std::optional<Nodata> nodata_of(const Metadata& metadata, FileType type, const NodataRule& rule);

/// Makes missing samples NaN, except in alpha. `samples`: the decoded rows of from.header, in its type. A file of a
/// type that floats do not hold exactly is read once more as it is stored, because other values become the same float.
void mark_missing(const Decoding& from, RowRange rows, std::byte* samples);

/// The numbers of the samples that are NaN, except in channel `alpha` (-1: none).
[[nodiscard]] std::vector<std::size_t> missing_places(const ImageView& samples, int alpha);

/// Writes the value of missing samples to these places, in samples of type `type`. Leaves them as they are if the type
/// does not hold it.
void put_nodata(const Nodata& nodata, FileType type, const std::vector<std::size_t>& places, std::byte* samples);

/// The text of the tag for a file of type `type`; none if the input's is true.
[[nodiscard]] std::optional<std::string> changed_nodata(const Image& image, FileType type);

}  // namespace clconv::oiio
