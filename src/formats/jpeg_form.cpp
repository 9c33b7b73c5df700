// SPDX-License-Identifier: Apache-2.0
#include "formats/file_head.h"
#include "formats/form_readers.h"
#include "formats/jpeg_end.h"
#include "formats/jpeg_segments.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clconv::oiio {
namespace {

/// ISO 10918-1, B.2.2: precision, components and their sampling.
void read_frame(const std::string& frame, StoredForm& form)
{
    form.bits = static_cast<int>(number_in(frame, 0, 1, ByteOrder::big));
    const std::uint64_t components = number_in(frame, 5, 1, ByteOrder::big);
    form.colours = components == 1 ? "gray" : components == 4 ? "inks" : "RGB";
    const auto samples = [&](std::size_t component) {
        const std::uint64_t factors = number_in(frame, 7 + 3 * component, 1, ByteOrder::big);
        return static_cast<double>((factors >> 4U) * (factors & 15U));
    };
    if (components == 3 && samples(0) > 0) form.chroma = std::min(1.0, samples(1) / samples(0));
}

/// JFIF 1.02: the unit (none, inches, centimetres), and dots across and down.
void read_jfif_dots(const std::string& segment, StoredForm& form)
{
    constexpr std::array<double, 3> per_inch{0, 1, 2.54};
    const std::uint64_t unit = number_in(segment, 7, 1, ByteOrder::big);
    const auto across = static_cast<double>(number_in(segment, 8, 2, ByteOrder::big));
    const auto down = static_cast<double>(number_in(segment, 10, 2, ByteOrder::big));
    // Without a unit, 1:1 is what programs write that know neither; then Exif's dots count.
    form.states_aspect = across > 0 && down > 0 && (unit > 0 || across != down);
    if (unit == 0 && form.states_aspect) form.aspect = down / across;
    if (unit > 0 && unit < per_inch.size()) read_resolution(across * per_inch[unit], down * per_inch[unit], form);
}

/// The metadata in an application's segment, or a comment.
void read_segment(unsigned marker, const std::string& bytes, StoredForm& form)
{
    using namespace std::string_view_literals;
    const std::string_view text = bytes;
    if (marker == 0xE1 && text.starts_with("Exif\0\0"sv)) {
        form.tags.insert("Exif");
        read_exif(bytes.substr(6), form);
    }
    if (marker == 0xE0 && text.starts_with("JFIF\0"sv)) read_jfif_dots(bytes, form);
    if (marker == 0xE1 && text.starts_with("http://ns.adobe.com/xap/1.0/\0"sv)) form.tags.insert("XMP");
    if (marker == 0xE1 && text.starts_with("http://ns.adobe.com/xmp/extension/\0"sv)) form.tags.insert("extended XMP");
    if (marker == 0xEB && text.starts_with("JP"sv)) form.tags.insert("JUMBF (C2PA)");
    form.has_profile |= marker == 0xE2 && text.starts_with("ICC_PROFILE\0"sv);
    if (marker == 0xE2 && text.starts_with("MPF\0"sv)) form.images = 2;
    if (marker == 0xED && text.starts_with("Photoshop 3.0\0"sv)) {
        form.tags.insert("Photoshop's resources");
        if (text.find("8BIM\x04\x04"sv) != std::string_view::npos) form.tags.insert(kIptc);
    }
    if (marker == 0xFE) form.tags.insert("comment");
}

/// A further picture, or what is none.
void read_behind(std::string_view bytes, StoredForm& form)
{
    if (bytes.starts_with("\xFF\xD8\xFF"))
        form.images = 2;
    else if (!bytes.empty() && form.images == 1)
        form.tags.insert("data behind the picture");
}

}  // namespace

StoredForm jpeg_form(const std::filesystem::path& path)
{
    FileHead head(path);
    StoredForm form{.codec = "JPEG", .is_lossy = true};
    constexpr int max_segments = 10'000;
    std::uint64_t place = 2;
    for (int i = 0; i < max_segments; ++i) {
        const std::optional<JpegPlace> segment = jpeg_segment_at(head, place);
        if (!segment) break;
        if (segment->marker == 0xDA) {
            read_behind(bytes_behind_jpeg(path, segment->begin()), form);
            break;
        }
        if (is_jpeg_frame(segment->marker) || segment->marker >= 0xE0) {
            const std::string bytes = head.part(segment->place, segment->size);
            if (is_jpeg_frame(segment->marker)) read_frame(bytes, form);
            read_segment(segment->marker, bytes, form);
        }
        place = segment->end();
    }
    return form;
}

}  // namespace clconv::oiio
