// SPDX-License-Identifier: Apache-2.0
#include "formats/jpeg_end.h"

#include <fstream>
#include <limits>
#include <string_view>

namespace clconv::oiio {
namespace {

constexpr int kMarker = 0xFF;

/// ISO 10918-1, B.1.1.2 and F.1.2.3: inside a scan, 0xFF is followed by 0, or by the number of a restart.
bool is_in_scan(int marker) { return marker == 0 || (marker >= 0xD0 && marker <= 0xD7); }

/// Goes behind the end of the picture. False if there is none.
bool skip_picture(std::istream& file)
{
    constexpr int end = 0xD9;
    while (file.ignore(std::numeric_limits<std::streamsize>::max(), kMarker)) {
        int marker = file.get();
        while (marker == kMarker) marker = file.get();
        if (marker == end) return true;
        if (is_in_scan(marker)) continue;
        const int high = file.get();
        const int length = high << 8 | file.get();
        if (!file || length < 2) return false;
        file.seekg(length - 2, std::ios::cur);
    }
    return false;
}

}  // namespace

std::string bytes_behind_jpeg(const std::filesystem::path& path, std::uint64_t scan)
{
    constexpr std::size_t maximum = 4096;
    constexpr std::string_view filling("\0\xFF \r\n", 5);
    std::ifstream file(path, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(scan));
    if (!skip_picture(file)) return {};
    std::string bytes(maximum, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes.find_first_not_of(filling) == std::string::npos ? std::string() : bytes;
}

}  // namespace clconv::oiio
