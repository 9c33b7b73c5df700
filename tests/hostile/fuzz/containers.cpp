// SPDX-License-Identifier: Apache-2.0
// Any bytes as an image file, for everything that reads containers without a library. What is read must stay within the
// file, end, and be damaged or hold what it says.
#include "base/errors.h"
#include "formats/exr_blocks.h"
#include "formats/file_claims.h"
#include "formats/gif_frames.h"
#include "formats/heif_blocks.h"
#include "formats/iff_tiles.h"
#include "formats/jpeg_encoding.h"
#include "formats/misread_forms.h"
#include "formats/png_chunks.h"
#include "formats/png_colour.h"
#include "formats/psd_sections.h"
#include "formats/sgi_rows.h"
#include "formats/stack_description.h"
#include "formats/tiff_tags.h"
#include "formats/webp_chunks.h"

#include "promise.h"

#include <sys/mman.h>
#include <unistd.h>
#include <filesystem>
#include <string>

using namespace clconv;

namespace {

/// A file in memory, because these functions read files.
class MemoryFile {
public:
    MemoryFile() : file_(::memfd_create("fuzz", 0)) {}
    void fill(const std::uint8_t* data, std::size_t size) const
    {
        hostile::promise(::ftruncate(file_, 0) == 0, "the file can be emptied");
        hostile::promise(::pwrite(file_, data, size, 0) == static_cast<ssize_t>(size), "the file can be filled");
    }
    [[nodiscard]] std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
    int file_;
};

void read_pages(const std::filesystem::path& path, std::size_t size)
{
    const oiio::TiffFile file(path);
    const oiio::TiffPages pages = oiio::tiff_pages(file);
    for (const oiio::TiffDirectory& page : pages.directories) {
        hostile::promise(page.place < size, "a directory is in the file");
        (void)oiio::is_reduced(file, page);
        const std::vector<oiio::TiffTag> tags = oiio::tiff_tags(path, page.place);
        (void)oiio::tiff_xmp(tags);
        (void)oiio::exif_of(tags, "", 1);
    }
}

void read_blocks(const std::filesystem::path& path, std::size_t size)
{
    for (const oiio::GifFrame& frame : oiio::gif_frames(path).frames)
        hostile::promise(frame.delay_place < static_cast<std::int64_t>(size), "a frame's delay is in the file");
    const std::vector<oiio::PngChunk> chunks = oiio::png_chunks(path);
    const oiio::EmbeddedBlocks blocks = oiio::blocks_of(chunks);
    (void)oiio::corrected_exif(blocks.exif, Extent{4, 4});
    (void)oiio::exif_orientation(blocks.exif);
    (void)oiio::tags_of(blocks);
    (void)oiio::png_colour(path);
    (void)oiio::jpeg_encoding(oiio::jpeg_segments(path));
    (void)oiio::heif_blocks(path, Extent{4, 4});
    (void)oiio::webp_blocks(path);
    (void)oiio::webp_animation(path);
    (void)oiio::webp_kind(path);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MemoryFile file;
    file.fill(data, size);
    const std::filesystem::path path = file.path();
    (void)oiio::claims_of(path);
    for (const char* format : {"dpx", "ico", "bmp", "targa", "gif", "psd"}) (void)oiio::misread_form(path, format);
    (void)oiio::is_exr(path);
    (void)oiio::safe_exr_reader(path);
    (void)oiio::psd_sections(path);
    (void)oiio::iff_tiles(path);
    (void)oiio::fault_of_sgi(path);
    read_blocks(path, size);
    read_pages(path, size);
    (void)oiio::description_after(std::string(hostile::text_of(data, size)), {});
    return 0;
}
