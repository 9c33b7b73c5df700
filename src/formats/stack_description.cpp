// SPDX-License-Identifier: Apache-2.0
#include "formats/stack_description.h"

#include <charconv>
#include <string_view>
#include <vector>

namespace clconv::oiio {
namespace {

bool is_imagej(const std::string& text) { return text.starts_with("ImageJ="); }

bool is_ome(const std::string& text)
{
    return text.find("<OME ") != std::string::npos || text.find("<ome:OME ") != std::string::npos;
}

/// Other metadata may stand before it.
constexpr std::string_view kShape = "\"shape\": [";

bool is_shape(const std::string& text) { return text.starts_with('{') && text.find(kShape) != std::string::npos; }

/// The number that follows `name` at the start of a line; `fallback` if there is none.
int number_in_line(const std::string& text, const std::string& name, int fallback)
{
    const std::size_t found = text.find("\n" + name + "=");
    if (found == std::string::npos) return fallback;
    int number = fallback;
    std::from_chars(text.data() + found + name.size() + 2, text.data() + text.size(), number);
    return number;
}

/// Without the lines that say how the images are ordered.
std::string with_images(const std::string& text, int images)
{
    std::string result;
    for (std::size_t first = 0; first < text.size();) {
        const std::size_t end = std::min(text.find('\n', first), text.size());
        const std::string line = text.substr(first, end - first);
        first = end + 1;
        bool goes = false;
        for (const char* name : {"images=", "channels=", "slices=", "frames=", "hyperstack="})
            goes |= line.starts_with(name);
        if (!goes) result += line + "\n";
        if (line.starts_with("ImageJ=") && images > 1)
            result += "images=" + std::to_string(images) + "\nslices=" + std::to_string(images) + "\n";
    }
    return result;
}

std::string imagej_after(const std::string& text, const StackChange& change)
{
    const bool is_true = change.all_kept && number_in_line(text, "images", 1) == change.parts;
    return is_true ? text : with_images(text, change.parts);
}

/// The numbers between the brackets.
std::vector<std::int64_t> shape_of(const std::string& text)
{
    std::vector<std::int64_t> shape;
    const char* const end = text.data() + text.size();
    for (const char* next = text.data() + text.find(kShape) + kShape.size(); next < end;) {
        std::int64_t number = 0;
        const auto [behind, failure] = std::from_chars(next, end, number);
        if (failure != std::errc()) return {};
        shape.push_back(number);
        if (behind >= end) return {};  // it is cut
        if (*behind == ']') return shape;
        next = behind + 2;  // a comma and a blank
    }
    return {};
}

/// The shape's axes of a page: rows and columns, and channels if there are any.
bool ends_with_page(const std::vector<std::int64_t>& shape, Extent page, std::size_t& first)
{
    for (const std::size_t behind : {std::size_t{0}, std::size_t{1}}) {
        if (shape.size() < 2 + behind) continue;
        first = shape.size() - 2 - behind;
        if (shape[first] == page.height && shape[first + 1] == page.width) return true;
    }
    return false;
}

std::optional<std::string> shape_after(const std::string& text, const StackChange& change)
{
    const std::vector<std::int64_t> shape = shape_of(text);
    std::size_t page = 0;
    if (!ends_with_page(shape, change.before, page)) return std::nullopt;
    std::int64_t pages = 1;
    for (std::size_t i = 0; i < page; ++i) pages *= shape[i];
    std::vector<std::int64_t> after;
    if (change.all_kept)
        after.assign(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(page));
    else if (pages == change.parts_before && change.parts > 1)
        after.push_back(change.parts);
    after.insert(after.end(), {change.after.height, change.after.width});
    after.insert(after.end(), shape.begin() + static_cast<std::ptrdiff_t>(page) + 2, shape.end());
    const std::size_t numbers = text.find(kShape) + kShape.size();
    std::string result = text.substr(0, numbers);
    for (std::size_t i = 0; i < after.size(); ++i) result += (i > 0 ? ", " : "") + std::to_string(after[i]);
    return result + text.substr(text.find(']', numbers));
}

/// OME's name of a type; empty if it has none.
std::string_view ome_type(FileType type)
{
    switch (type) {
        case FileType::i8: return "int8";
        case FileType::i16: return "int16";
        case FileType::i32: return "int32";
        case FileType::u8: return "uint8";
        case FileType::u16: return "uint16";
        case FileType::u32: return "uint32";
        case FileType::float32: return "float";
        case FileType::float64: return "double";
        case FileType::half: break;
    }
    return "";
}

constexpr std::string_view kXmlSpaces = " \t\r\n";
bool is_xml_space(char c) { return kXmlSpaces.find(c) != std::string_view::npos; }

/// XML 1.0, 2.3 and 3.1: values are in quotes of either kind, and there may be spaces around the equals sign.
void set_attribute(std::string& element, std::string_view name, std::string_view value)
{
    for (std::size_t at = element.find(name); at != std::string::npos; at = element.find(name, at + 1)) {
        const std::size_t equals = element.find_first_not_of(kXmlSpaces, at + name.size());
        if (at == 0 || !is_xml_space(element[at - 1]) || equals == std::string::npos || element[equals] != '=')
            continue;
        const std::size_t quote = element.find_first_not_of(kXmlSpaces, equals + 1);
        const std::size_t end = quote == std::string::npos ? quote : element.find(element[quote], quote + 1);
        if (end == std::string::npos) return;
        element.replace(quote + 1, end - quote - 1, value);
        return;
    }
}

/// All Pixels elements with other sizes and another type.
std::optional<std::string> ome_after(std::string text, const StackChange& change)
{
    if (!change.all_kept || (!change.same_type && ome_type(change.type).empty())) return std::nullopt;
    constexpr std::string_view pixels = "Pixels";
    for (std::size_t first = text.find(pixels); first != std::string::npos; first = text.find(pixels, first + 1)) {
        const std::size_t behind = first + pixels.size();
        const std::size_t end = text.find('>', first);
        if (end == std::string::npos || first == 0 || (text[first - 1] != '<' && text[first - 1] != ':')) continue;
        if (!is_xml_space(text[behind])) continue;
        std::string element = text.substr(first, end - first);
        if (change.before != change.after) {
            set_attribute(element, "SizeX", std::to_string(change.after.width));
            set_attribute(element, "SizeY", std::to_string(change.after.height));
        }
        if (!change.same_type) {
            set_attribute(element, "Type", ome_type(change.type));
            set_attribute(element, "SignificantBits", std::to_string(8 * bytes_of(change.type)));
        }
        text.replace(first, end - first, element);
    }
    return text;
}

}  // namespace

bool counts_images(const std::string& description)
{
    return is_imagej(description) || is_ome(description) || is_shape(description);
}

int imagej_images(const std::string& description)
{
    return is_imagej(description) ? number_in_line(description, "images", 1) : 0;
}

std::optional<std::string> description_after(const std::string& description, const StackChange& change)
{
    if (is_imagej(description)) return imagej_after(description, change);
    if (is_ome(description)) return ome_after(description, change);
    if (is_shape(description)) return shape_after(description, change);
    return description;
}

}  // namespace clconv::oiio
