// SPDX-License-Identifier: Apache-2.0
#include "encoders/shared_tags.h"

#include "codecs/fits_input.h"
#include "formats/gif_frames.h"
#include "formats/webp_chunks.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace clconv {
namespace {

constexpr const char* kExif = "Exif";

/// In front of the keyword of a PNG's text.
constexpr std::string_view kText = "text ";

struct SharedTag {
    std::string_view name;    ///< in some format
    std::string_view common;  ///< people's
};
constexpr SharedTag kShared[] = {
    {"ImageDescription", "description"},
    {"text Description", "description"},
    {"comments", "description"},
    {"comment", "description"},
    {"Artist", "author"},
    {"text Author", "author"},
    {"Copyright", "copyright"},
    {"text Copyright", "copyright"},
    {"owner", "copyright"},
    {"DateTime", "date"},
    {"tIME", "date"},
    {"capDate", "date"},
    {"DocumentName", "title"},
    {"text Title", "title"},
    {"text Make", "Make"},
    {"text Model", "Model"},
    {"Comment", "text Comment"},
    {"expTime", kExif},
    {"aperture", kExif},
    {"xDensity", oiio::kResolution},
    {"framesPerSecond", "frame rate"},
};

/// Texts for which a format has little room.
struct ShortText {
    std::string_view format;
    const char* name;     ///< the library's
    std::size_t maximum;  ///< bytes
    const char* rest;     ///< what is lost
};
constexpr ShortText kShort[] = {{"dpx", "ImageDescription", 32, "the end of the description"},
                                {"dpx", "DocumentName", 200, "the end of the title"},
                                {"dpx", "Copyright", 200, "the end of the copyright"},
                                {"rla", "ImageDescription", 127, "the end of the description"},
                                {"sgi", "ImageDescription", 79, "the end of the description"},
                                {"targa", "ImageDescription", 320, "the end of the description"},
                                {"targa", "Artist", 40, "the end of the author"}};

/// Tags about the program that wrote the file, those of the library, and those of which another comparison tells.
constexpr std::string_view kSilent[] = {
    "Software",    "text Software",  "SOFTWARE",  "FORMAT",         "EXPOSURE",
    "COLORCORR",   "PRIMARIES",      "PIXASPECT", "GAMMA",          "chromaticities",
    "Orientation", "ResolutionUnit", "sBIT",      "whiteLuminance", "Photoshop's resources"};

/// Copies of other metadata that the library writes as texts and attributes, and the times of the input's file, which
/// ImageMagick notes as texts.
constexpr std::string_view kCopies[] = {"oiio:", "Exif:", "GPS:", "IPTC:", "ICCProfile:", "dpx:", "date:"};

bool is_silent(std::string_view tag)
{
    const std::string_view name = tag.starts_with(kText) ? tag.substr(kText.size()) : tag;
    return std::ranges::any_of(kCopies, [&](std::string_view copy) { return name.starts_with(copy); }) ||
           std::ranges::find(kSilent, tag) != std::end(kSilent);
}

std::string common_name(const std::string& tag)
{
    const auto* const found = std::ranges::find(kShared, tag, &SharedTag::name);
    return found == std::end(kShared) ? tag : std::string(found->common);
}

std::set<std::string> common_names(const std::set<std::string>& tags)
{
    std::set<std::string> names;
    for (const std::string& tag : tags)
        if (!is_silent(tag)) names.insert(common_name(tag));
    return names;
}

}  // namespace

void add_read_tags(const oiio::FileHeader& header, std::string_view output, std::set<std::string>& tags)
{
    for (const ShortText& text : kShort)
        if (text.format == output && header.get_string_attribute(text.name).size() > text.maximum)
            tags.insert(text.rest);
    for (const char* name : {"ImageDescription", "Artist", "Copyright", "DateTime", "DocumentName", "Make", "Model"})
        if (!header.get_string_attribute(name).empty()) tags.insert(name);
    constexpr std::size_t numbers = 3;
    const OIIO::ParamValue* const span = header.find_attribute(fits::kSpan);
    if (span == nullptr || span->type().numelements() < numbers) return;
    const auto* const places = static_cast<const std::int64_t*>(span->data());
    if (places[1] < places[2]) tags.insert("HDUs behind the image");
}

void add_frame_times(const std::filesystem::path& path, oiio::StoredForm& form)
{
    const bool is_animation = form.format == "gif"    ? oiio::gif_frames(path).frames.size() > 1
                              : form.format == "webp" ? oiio::webp_animation(path).durations.size() > 1
                                                      : false;
    if (is_animation) form.tags.insert("times of frames");
}

std::vector<std::string> lost_tags(const oiio::StoredForm& before, const oiio::StoredForm& after)
{
    std::set<std::string> from = common_names(before.tags);
    const std::set<std::string> to = common_names(after.tags);
    if (from.contains(kExif) && !to.contains(kExif))
        for (const std::string& name : common_names(before.exif_tags))
            if (name != kExif) from.erase(name);
    std::vector<std::string> lost;
    std::ranges::set_difference(from, to, std::back_inserter(lost));
    for (std::string& name : lost)
        if (name.starts_with(kText)) name.erase(0, kText.size());
    return lost;
}

}  // namespace clconv
