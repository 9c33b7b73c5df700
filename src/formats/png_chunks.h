// SPDX-License-Identifier: Apache-2.0
// The metadata in a PNG file's chunks.
#pragma once

#include "formats/embedded_blocks.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

struct PngChunk {
    std::string name;        ///< four letters
    std::string bytes = {};  ///< without length, name and checksum
};

/// The header (IHDR) and all chunks of metadata in the file's order, also those behind the samples. Chunks with a wrong
/// checksum are left out, as in other readers. Of a damaged file, the chunks before the damage are returned. Empty if
/// the file is not a PNG, or if the chunks take more than 32 MiB.
[[nodiscard]] std::vector<PngChunk> png_chunks(const std::filesystem::path& path);

/// The Exif and XMP among these chunks.
[[nodiscard]] EmbeddedBlocks blocks_of(const std::vector<PngChunk>& chunks);

/// The bits of a pixel that is the number of a colour in a table; 0 if pixels are colours.
[[nodiscard]] int palette_bits(const std::vector<PngChunk>& chunks);

/// The names of chunks that say something about the old samples, each once: outputs do not get them.
[[nodiscard]] std::vector<std::string> lost_chunks(const std::vector<PngChunk>& chunks);

/// Replaces the metadata of the complete PNG at `path` by another PNG's `chunks`. Only chunks that stay true when
/// samples change are copied: those that the format calls safe to copy, colour, time, and the background if the samples
/// are of the same kind. Thumbnails are left out. Throws InputError.
void replace_png_chunks(const std::filesystem::path& path, const std::vector<PngChunk>& chunks,
                        const MetadataChange& change);

/// Replaces Exif and XMP of the complete PNG at `path`, which OpenImageIO wrote, by those of a file of another format,
/// if that has any, and corrects its texts (png_texts.h). Throws InputError.
void put_png_blocks(const std::filesystem::path& path, const EmbeddedBlocks& blocks, const MetadataChange& change);

}  // namespace clconv::oiio
