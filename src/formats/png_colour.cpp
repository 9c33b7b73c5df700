// SPDX-License-Identifier: Apache-2.0
#include "formats/png_colour.h"

#include "formats/byte_order.h"

#include <array>
#include <fstream>
#include <string_view>

namespace clconv::oiio {
namespace {

using namespace std::string_view_literals;

/// The search ends after so many chunks. No real file has that many before its samples.
constexpr int kMaxChunks = 1000;

}  // namespace

/// W3C PNG, third edition, 5.3: length, name, contents, a checksum, which libpng looks at.
PngColour png_colour(const std::filesystem::path& path)
{
    PngColour found;
    std::ifstream file(path, std::ios::binary);
    std::array<char, 8> head{};
    file.read(head.data(), head.size());
    if (!file || std::string_view(head.data(), head.size()) != "\x89PNG\r\n\x1a\n"sv) return found;
    for (int chunk = 0; chunk < kMaxChunks && file.read(head.data(), head.size()); ++chunk) {
        const std::string_view length_and_name(head.data(), head.size());
        const auto length = static_cast<std::uint32_t>(number_in(length_and_name, 0, 4, ByteOrder::big));
        const std::string_view name = length_and_name.substr(4);
        if (name == "IDAT" || length > 0x7FFFFFFF) break;
        std::array<char, 4> contents{};
        const bool is_ours = name == "sRGB" || (name == "gAMA" && length == 4) || (name == "cICP" && length == 4);
        const std::uint32_t taken = is_ours && length <= contents.size() ? length : 0;
        if (taken > 0 && !file.read(contents.data(), taken)) break;
        if (name == "sRGB") found.is_srgb = true;
        const std::uint64_t number = number_in({contents.data(), taken}, 0, 4, ByteOrder::big);
        if (name == "gAMA" && number > 0) found.gamma = static_cast<std::uint32_t>(number);
        if (name == "cICP" && taken == 4) {
            found.transfer = static_cast<unsigned char>(contents[1]);
            found.is_full_range = contents[3] != 0;
        }
        file.seekg(static_cast<std::streamoff>(length - taken) + 4, std::ios::cur);
    }
    return found;
}

}  // namespace clconv::oiio
