#include "codecs/tga_extension.h"

#include <array>
#include <cstdint>
#include <fstream>

namespace clconv::oiio {

bool has_sound_extension(const std::filesystem::path& path)
{
    constexpr std::size_t area = 495;
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 26> footer{};
    file.seekg(-static_cast<std::streamoff>(footer.size()), std::ios::end);
    const auto size = static_cast<std::uint64_t>(file.tellg()) + footer.size();
    const auto read = [&](unsigned char* to, std::size_t count) {
        return static_cast<bool>(file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count)));
    };
    if (!read(footer.data(), footer.size())) return false;
    std::uint64_t first = 0;
    for (int i = 3; i >= 0; --i) first = first << 8U | footer[i];
    if (first == 0) return true;  // there are none
    std::array<unsigned char, 2> length{};
    file.seekg(static_cast<std::streamoff>(first));
    return first + area <= size && read(length.data(), length.size()) && length[0] + 256U * length[1] == area;
}

void drop_extension(OIIO::ImageSpec& header)
{
    for (const char* name : {"Artist", "ImageDescription", "DateTime", "DocumentName", "Software", "targa:JobTime",
                             "oiio:Gamma", "oiio:ColorSpace"})
        header.erase_attribute(name);
}

}  // namespace clconv::oiio
