// SPDX-License-Identifier: Apache-2.0
#include "formats/exr_attributes.h"

#include "formats/byte_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace clconv::oiio {
namespace {

/// The types that the library reads or makes anew.
constexpr std::string_view kRead[] = {
    "box2f",       "box2i",    "channellist", "chlist", "chromaticities", "compression", "double", "float",
    "floatvector", "int",      "keycode",     "m33d",   "m33f",           "m44d",        "m44f",   "lineOrder",
    "preview",     "rational", "string",      "v2d",    "stringvector",   "tiledesc",    "v2f",    "timecode",
    "v2i",         "v3d",      "v3f",         "v3i"};

constexpr unsigned kHasParts = 0x10;
constexpr std::size_t kMaxNameLength = 255;

/// The text up to the next zero byte; empty at the end of the file or of a header, and in damaged files.
std::string next_name(std::ifstream& file)
{
    std::string text;
    for (int letter = file.get(); letter > 0; letter = file.get()) {
        text += static_cast<char>(letter);
        if (text.size() > kMaxNameLength) file.setstate(std::ios::failbit);
    }
    return file ? text : std::string();
}

std::uint32_t next_number(std::ifstream& file)
{
    std::array<char, 4> bytes{};
    file.read(bytes.data(), bytes.size());
    return static_cast<std::uint32_t>(number_in({bytes.data(), bytes.size()}, 0, 4, ByteOrder::little));
}

}  // namespace

std::vector<std::string> unread_attributes(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    next_number(file);
    const bool has_parts = (next_number(file) & kHasParts << 8U) != 0;
    std::vector<std::string> unread;
    bool is_first = true;
    while (file) {
        const std::string name = next_name(file);
        if (name.empty() && (is_first || !has_parts)) break;  // an empty header ends the headers of several parts
        is_first = name.empty();
        if (name.empty()) continue;
        const std::string type = next_name(file);
        file.seekg(next_number(file), std::ios::cur);
        if (file && std::ranges::find(kRead, type) == std::end(kRead) &&
            std::ranges::find(unread, name) == unread.end())
            unread.push_back(name);
    }
    return unread;
}

}  // namespace clconv::oiio
