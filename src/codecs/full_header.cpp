// SPDX-License-Identifier: Apache-2.0
#include "codecs/full_header.h"

#include "codecs/codec_library.h"
#include "formats/latin1.h"
#include "formats/png_texts.h"

#include <OpenImageIO/strutil.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clconv::oiio {
namespace {

/// The texts behind the samples, where ImageMagick has all of them and OpenImageIO reads none. XMP and profiles are
/// kept as blocks.
void add_texts(const std::vector<PngChunk>& chunks, FileHeader& header)
{
    for (const PngChunk& chunk : chunks) {
        const PngText found = text_in(chunk);
        const std::string name = attribute_of_keyword(found.keyword);
        const bool is_block = name == "XML:com.adobe.xmp" || name.starts_with("Raw profile type ");
        if (!name.empty() && !is_block && header.find_attribute(name) == nullptr) header.attribute(name, found.text);
    }
}

/// OpenImageIO reads the first comment of a JPEG.
void add_comments(const std::vector<JpegSegment>& segments, FileHeader& header)
{
    constexpr int comment = 0xFE;
    std::string all;
    std::string first;
    for (const JpegSegment& segment : segments) {
        if (segment.marker != comment) continue;
        all += (all.empty() ? "" : "\n") + segment.bytes;
        if (first.empty()) first = segment.bytes;
    }
    if (!first.empty() && header.get_string_attribute("ImageDescription") == first)
        header.attribute("ImageDescription", all);
}

}  // namespace

std::string attribute_of_keyword(std::string_view keyword)
{
    constexpr std::array names{std::pair("Description", "ImageDescription"), std::pair("Author", "Artist"),
                               std::pair("Title", "DocumentName")};
    const OIIO::string_view wanted(keyword.data(), keyword.size());
    const auto* const known =
        std::ranges::find_if(names, [&](const auto& name) { return OIIO::Strutil::iequals(wanted, name.first); });
    return known == names.end() ? std::string(keyword) : known->second;
}

FileHeader full_header(const Metadata& metadata)
{
    FileHeader full = metadata.spec;
    if (!metadata.is_abridged) return full;
    CodecLibrary& library = codec_library();
    const std::unique_ptr<Decoder> input = library.open(metadata.file, {});
    if (!input || input->format() != metadata.format) {
        static_cast<void>(library.take_error());
        return full;
    }
    full.extra_attribs = input->header().extra_attribs;
    if (metadata.format == "jpeg") add_comments(metadata.segments, full);
    if (metadata.format == "png") {
        add_texts(metadata.chunks, full);
        read_texts_as_utf8(full);
    }
    if (metadata.format == "png" && !metadata.blocks.exif.empty()) library.decode_exif(metadata.blocks.exif, full);
    for (const OIIO::ParamValue& known : metadata.spec.extra_attribs) full.extra_attribs.add_or_replace(known, false);
    return full;
}

void read_texts_as_utf8(FileHeader& header)
{
    OIIO::ParamValueList attributes;
    const auto as_utf8 = [](std::string text) { return is_utf8(text) ? text : utf8_of_latin1(text); };
    for (const OIIO::ParamValue& value : header.extra_attribs) {
        if (value.type() == OIIO::TypeDesc::STRING)
            attributes.attribute(as_utf8(value.name().string()), as_utf8(value.get_string()));
        else
            attributes.push_back(value);
    }
    header.extra_attribs = std::move(attributes);
}

}  // namespace clconv::oiio
