// The chunks of a PNG file that are no samples. Private to src/image.
#pragma once

#include "image/embedded_blocks.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

struct PngChunk {
    std::string name;        ///< four letters
    std::string bytes = {};  ///< without length, name and checksum
};

/// The header (IHDR) and all chunks of metadata, in the file's order, also those behind the samples. Chunks whose
/// checksum is wrong are left out, as readers do; a file that is damaged has those before the damage. None where the
/// file is no PNG, or where they take more than 32 MiB.
[[nodiscard]] std::vector<PngChunk> png_chunks(const std::filesystem::path& path);

/// Exif and XMP among them.
[[nodiscard]] EmbeddedBlocks blocks_of(const std::vector<PngChunk>& chunks);

/// Gives the complete PNG at `path` the metadata of another one, in the place of its own: every chunk that is still
/// true of a picture with other samples. Those are the ones that the format calls safe to copy, colour, time, and the
/// background if the samples are of the same kind. Thumbnails go. Throws InputError.
void replace_png_chunks(const std::filesystem::path& path, const std::vector<PngChunk>& chunks,
                        const MetadataChange& change);

/// Gives the complete PNG at `path` blocks of a file of another format, in the place of its own ones. Throws
/// InputError.
void put_png_blocks(const std::filesystem::path& path, const EmbeddedBlocks& blocks, const MetadataChange& change);

}  // namespace clconv::oiio
