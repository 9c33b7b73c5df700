// SPDX-License-Identifier: Apache-2.0
#include "codecs/open_image.h"

#include "base/errors.h"
#include "base/special_file.h"
#include "codecs/budget.h"
#include "codecs/codec_library.h"
#include "codecs/file_formats.h"
#include "codecs/fits_input.h"
#include "codecs/jpeg_input.h"
#include "codecs/memory_fill.h"
#include "codecs/png_input.h"
#include "codecs/pnm_input.h"
#include "codecs/tiff_view.h"
#include "codecs/webp_input.h"
#include "fits/fits_file.h"
#include "formats/exr_blocks.h"
#include "formats/file_claims.h"
#include "formats/iff_tiles.h"
#include "formats/misread_forms.h"
#include "formats/pnm_header.h"
#include "formats/psd_sections.h"
#include "formats/sgi_rows.h"

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace clconv::oiio {

namespace {

/// Reports the system's reason if a file cannot be read at all. The library only says that it cannot.
void check_readable(const std::filesystem::path& path)
{
    if (is_folder(path) && ::access(path.c_str(), R_OK | X_OK) == 0) fail(path, "is a folder, not an image");
    if (const std::string special = special_file(path); !special.empty())
        fail(path, "is " + special + ", and an image is a regular file; copy its contents into one");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(path, "cannot be read: " + std::string(std::strerror(errno)));
    ::close(file);
}

bool is_gzip(const std::filesystem::path& path)
{
    std::array<char, 2> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    return std::string_view(magic.data(), magic.size()) == "\x1F\x8B";
}

/// The format, if its files are checked before their library opens them; else empty.
std::string_view trapped_format(const std::filesystem::path& path)
{
    std::array<char, 4> magic{};
    std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
    const std::string_view head(magic.data(), magic.size());
    if (head == "FOR4") return "iff";
    if (head == "8BPS") return "psd";
    return head.starts_with("\x01\xDA") ? "sgi" : "";
}

/// Refuses files that would damage the memory of this process, or fill it.
void check_for_traps(const std::filesystem::path& path, std::string_view format)
{
    std::string fault;
    if (format == "sgi") fault = fault_of_sgi(path);
    if (format == "iff") fault = iff_tiles(path).fault;
    if (format == "psd") fault = psd_sections(path).fault;
    if (!fault.empty()) fail(path, "is damaged, and cannot be decoded: " + fault);
}

}  // namespace

void fail(const std::filesystem::path& path, const std::string& why) { throw InputError(path.string() + ": " + why); }

std::unique_ptr<Decoder> open_plain(const std::filesystem::path& path, OpenHints hints)
{
    std::unique_ptr<Decoder> input = codec_library().open(path, hints);
    if (!input || input->format() != "tiff" || !is_cmyk(input->header())) return input;
    hints.is_raw = true;
    return codec_library().open(path, hints);
}

std::unique_ptr<Decoder> open_input(const std::filesystem::path& path, OIIO::Filesystem::IOProxy* view)
{
    OpenHints hints{.view = view};
    if (trapped_format(path) == "sgi") hints.format = "sgi";  // which the library knows by the extension alone
    if (is_heif(path)) {
        const MemoryFill fill(MemoryFill::Byte::one);  // it is decoded here
        return open_plain(path, hints);
    }
    if (!is_exr(path)) return open_plain(path, hints);
    const ExrReader reader = safe_exr_reader(path);
    if (reader == ExrReader::none) fail(path, "is damaged, and cannot be decoded: a block is shorter than its samples");
    hints.newer_exr = reader == ExrReader::newer;
    return codec_library().open(path, hints);
}

OpenFile open_image(const std::filesystem::path& path, const DecodeRules& rules)
{
    check_readable(path);
    check_claims(path, rules);
    if (fits::is_fits(path)) return {nullptr, fits::open_input(path, rules), {}};
    if (pnm::is_pnm(path)) return {nullptr, pnm::open_input(path), {}};
    if (webp::is_ours(path)) return {nullptr, webp::open_input(path), {}};
    if (std::unique_ptr<Decoder> input = jpeg::open_input(path)) return {nullptr, std::move(input), {}};
    if (std::unique_ptr<Decoder> input = png::open_input(path)) return {nullptr, std::move(input), {}};
    const std::string_view trapped = trapped_format(path);
    check_for_traps(path, trapped);
    std::unique_ptr<Decoder> input = open_input(path);
    if (!input && is_gzip(path)) fail(path, "is compressed by gzip; unpack it first, for instance with gunzip");
    if (!input && has_ignored_extension(path))
        fail(path,
             "is a video, a volume or a depth map by its name, and none of these is read; make pictures of it first");
    if (!input) {
        const std::string why = reason(codec_library().take_error(), "no decoder takes it");
        const std::string samples = why.starts_with("No support for data format") ? unread_samples(path) : "";
        fail(path, samples.empty() ? "cannot be decoded: " + why : samples);
    }
    if (input->format() != trapped) check_for_traps(path, input->format());  // the library skips strange heads
    if (const std::string why = misread_form(path, input->format()); !why.empty()) fail(path, why);
    std::unique_ptr<OIIO::Filesystem::IOProxy> view;
    if (input->format() == "tiff") view = tiff_view(path, 0);
    if (view) {
        input = open_input(path, view.get());
        if (!input)
            fail(path, "cannot be decoded: " + reason(codec_library().take_error(), "its first page is damaged"));
    }
    return {std::move(view), std::move(input), {}};
}

}  // namespace clconv::oiio
