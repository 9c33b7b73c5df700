// SPDX-License-Identifier: Apache-2.0
#include "formats/tga_order.h"

#include "formats/file_head.h"

#include <fstream>

namespace clconv::oiio {
namespace {

constexpr std::size_t kDescriptor = 17;
constexpr std::uint64_t kTopDown = 0x20;

std::uint64_t descriptor_of(const std::filesystem::path& path)
{
    return FileHead(path).number(kDescriptor, 1, ByteOrder::little);
}

}  // namespace

bool is_tga_bottom_up(const std::filesystem::path& path) { return (descriptor_of(path) & kTopDown) == 0; }

bool turn_tga_order(const std::filesystem::path& path)
{
    const auto descriptor = static_cast<char>(descriptor_of(path) ^ kTopDown);
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(kDescriptor);
    file.put(descriptor);
    return static_cast<bool>(file.flush());
}

}  // namespace clconv::oiio
