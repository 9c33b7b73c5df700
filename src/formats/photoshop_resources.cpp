// SPDX-License-Identifier: Apache-2.0
#include "formats/photoshop_resources.h"

#include "base/ceil_div.h"

#include <cstddef>
#include <cstdint>

namespace clconv::oiio {
namespace {

constexpr std::uint32_t kOldThumbnail = 0x409;
constexpr std::uint32_t kThumbnail = 0x40C;

std::uint32_t big_endian(const std::string& bytes, std::size_t offset, std::size_t size)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

}  // namespace

/// Adobe Photoshop File Formats, "Image Resource Blocks": signature, number, name, size, contents, each of even length.
std::string without_photoshop_thumbnail(const std::string& resources)
{
    std::string kept;
    for (std::size_t offset = 0; offset < resources.size();) {
        const std::size_t left = resources.size() - offset;
        if (left < 12 || resources.compare(offset, 4, "8BIM") != 0) return resources;
        const std::uint32_t number = big_endian(resources, offset + 4, 2);
        const std::size_t name = (static_cast<unsigned char>(resources[offset + 6]) + 2U) / 2 * 2;
        if (left < 10 + name) return resources;
        const std::size_t contents = big_endian(resources, offset + 6 + name, 4);
        const std::size_t size = 10 + name + rounded_up<std::size_t>(contents, 2);
        if (left < 10 + name + contents) return resources;
        if (number != kOldThumbnail && number != kThumbnail) kept += resources.substr(offset, size);
        offset += size;
    }
    return kept;
}

}  // namespace clconv::oiio
