// SPDX-License-Identifier: Apache-2.0
#include "codecs/read_samples.h"

#include "codecs/file_formats.h"
#include "codecs/marked_block.h"
#include "codecs/memory_fill.h"
#include "codecs/nodata_samples.h"
#include "codecs/open_image.h"
#include "codecs/split_channels.h"
#include "codecs/white_zero.h"
#include "codecs/wide_integers.h"
#include "formats/iff_tiles.h"
#include "image/samples.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace clconv::oiio {

using OIIO::TypeDesc;

namespace {

/// libjpeg warns of stray bytes between segments, which many cameras write and which affect no pixel. All its other
/// warnings mean that pixels were made up.
bool is_harmless(const std::string& message) { return message.find("extraneous bytes") != std::string::npos; }

bool read_samples_of(Decoder& input, const TypeDesc& type, std::byte* samples, const DecodeRules& rules)
{
    const FileHeader& header = input.header();
    if (header.tile_width == 0) return read_rows(input, {0, header.height}, type, samples, rules.keeps_damaged);
    if (!keeps_values(header.format) || !header.channelformats.empty())
        return input.read_image(type_to_request(header, type), samples);
    const std::size_t row =
        type.size() * static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.nchannels);
    for (int y = 0; y < header.height; y += header.tile_height) {
        const RowRange rows{y, std::min(y + header.tile_height, header.height)};
        if (!read_tile_rows(input, rows, type, samples + static_cast<std::size_t>(y) * row)) return false;
    }
    return true;
}

/// Whether a HEIF file decodes to different samples when fresh memory holds another byte. The library leaves damaged
/// blocks out and reports no error, so such samples were never written. They are set to 0, the value of missing
/// samples, unless the picture was converted after decoding.
bool has_holes(const std::filesystem::path& path, Decoder& input, Image& image)
{
    const FileHeader& header = input.header();
    const int part = input.part();
    const std::size_t bytes = header.image_bytes(true);
    Bytes first(bytes);
    Bytes again(bytes);
    {
        const MemoryFill fill(MemoryFill::Byte::other);
        const std::unique_ptr<Decoder> other = open_plain(path, {});
        if (!other || !other->seek(part, 0) || other->header().image_bytes(true) != bytes ||
            !other->read_image(TypeDesc::UNKNOWN, again.data()))
            return true;
    }
    if (!input.read_image(TypeDesc::UNKNOWN, first.data())) return true;
    if (std::memcmp(first.data(), again.data(), bytes) == 0) return false;
    if (!image.split && image.view().bytes() == bytes)
        for (std::size_t i = 0; i < bytes; ++i)
            if (first.data()[i] != again.data()[i]) image.samples.data()[i] = std::byte{0};
    return true;
}

void check_for_holes(const std::filesystem::path& path, Decoder& input, Image& image, const DecodeRules& rules)
{
    if (image.metadata->format != "heif" || !image.damage.empty() || !has_holes(path, input, image)) return;
    const bool can_be_kept = !image.split && image.view().bytes() == input.header().image_bytes(true);
    if (rules.keeps_damaged && can_be_kept) {
        image.damage = "the decoder left some samples out";
        return;
    }
    fail(path, std::string("cannot be decoded: the decoder left some samples out") +
                   (can_be_kept ? "; --damaged keep uses what can be decoded" : ""));
}

}  // namespace

std::string damage_of(Decoder& input, bool complete)
{
    // A truncated JPEG is read "successfully"; only the message shows it.
    const std::string message = input.take_error();
    if (complete && (message.empty() || is_harmless(message))) return {};
    return reason(message, "the file ends too early or is damaged");
}

std::string fill_samples(const Decoding& from, std::span<std::byte> samples, const std::function<bool()>& decode)
{
    const Image& header = from.header;
    std::optional<MarkedBlock> marked;
    if (from.rules.keeps_damaged || may_leave_gaps(header.metadata->format)) {
        if (header.split)
            marked.emplace(samples.data(), samples.size(), missing_pixel(header.metadata->spec));
        else
            marked.emplace(samples.data(), samples.size(), header.type);
    }
    const bool complete = decode();
    std::string damage = damage_of(from.input, complete);
    if (marked && marked->has_gaps() && damage.empty()) damage = "the decoder left some samples out";
    if (damage.empty() && header.metadata->format == "iff" && iff_tiles(from.path).is_incomplete)
        damage = "its tiles do not cover it";
    if (!damage.empty() && !from.rules.keeps_damaged)
        fail(from.path, "cannot be decoded: " + damage + "; --damaged keep uses what can be decoded");
    if (!damage.empty()) {
        // Without marks: where a gap begins or ends inside one, the rest of the mark would be taken for samples.
        marked->unmark();
        static_cast<void>(decode());
        static_cast<void>(from.input.take_error());
    }
    return damage;
}

namespace {

/// Reads samples as they are stored.
void read_stored_samples(const std::filesystem::path& path, Decoder& input, const AllocateSamples& allocate,
                         Image& image, const DecodeRules& rules)
{
    const std::string claimed =
        to_string(image.extent) + " pixels of " + std::to_string(image.file_channels()) + " channels";
    std::shared_ptr<Bytes> kept;
    try {
        if (image.channels > 0) image.samples = allocate(image);
        if (image.split) kept = std::make_shared<Bytes>(image.split->kept_bytes());
    } catch (const std::bad_alloc&) {
        fail(path, "claims " + claimed + ", which do not fit into memory");
    }
    const Decoding from{path, input, image, rules};
    if (kept) {
        image.damage = read_split_rows(from, 0, image.extent.height, image.samples.data(), kept->data());
        image.kept = std::move(kept);
        mark_missing(from, {0, image.extent.height}, image.samples.data());
        return check_for_holes(path, input, image, rules);
    }
    image.damage = fill_samples(from, {image.samples.data(), image.view().bytes()}, [&] {
        return read_samples_of(input, type_desc(image.type), image.samples.data(), rules);
    });
    mark_missing(from, {0, image.extent.height}, image.samples.data());
    check_for_holes(path, input, image, rules);
}

void warn_of_rounding(const std::filesystem::path& path, Image& image)
{
    WideIntegers wide(image);
    if (!wide.may_be_rounded()) return;
    wide.add(image.samples.as<float>());
    if (std::optional<Warning> warning = wide.warning(path)) image.warnings.push_back(std::move(*warning));
}

}  // namespace

void read_samples(const std::filesystem::path& path, Decoder& input, const AllocateSamples& allocate, Image& image,
                  const DecodeRules& rules)
{
    read_stored_samples(path, input, allocate, image, rules);
    warn_of_rounding(path, image);
    if (image.channels > 0 && is_inverted(*image.metadata))
        invert_gray(image.samples.data(), image.type, image.extent.pixels(), gray_layout(image));
}

}  // namespace clconv::oiio
