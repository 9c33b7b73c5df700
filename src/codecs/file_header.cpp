// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_header.h"

#include "base/lower_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace clconv::oiio {
namespace {

bool begins_with(std::string_view name, std::string_view beginning)
{
    return name.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), name.begin(),
                      [](char one, char other) { return lower_case(one) == lower_case(other); });
}

std::uint64_t pixels(int width, int height, int depth)
{
    const auto sides = {width, height, depth};
    std::uint64_t count = 1;
    for (const int side : sides) count *= static_cast<std::uint64_t>(std::max(side, 0));
    return count;
}

}  // namespace

FileHeader::FileHeader(int image_width, int image_height, int channels, OIIO::TypeDesc type)
    : width(image_width),
      height(image_height),
      full_width(image_width),
      full_height(image_height),
      full_depth(1),
      nchannels(channels),
      format(type)
{
    default_channel_names();
}

void FileHeader::set_format(OIIO::TypeDesc type)
{
    format = type;
    channelformats.clear();
}

void FileHeader::default_channel_names()
{
    channelnames.clear();
    alpha_channel = -1;
    z_channel = -1;
    if (nchannels == 1) channelnames = {"Y"};
    if (nchannels == 2) channelnames = {"Y", "A"};
    if (nchannels >= 3) channelnames = {"R", "G", "B"};
    if (nchannels >= 4) channelnames.emplace_back("A");
    if (nchannels == 2 || nchannels >= 4) alpha_channel = nchannels == 2 ? 1 : 3;
    for (int channel = 4; channel < nchannels; ++channel) channelnames.push_back(fmt::format("channel{}", channel));
}

int FileHeader::channelindex(std::string_view name) const
{
    const auto found = std::ranges::find(channelnames, name);
    return found == channelnames.end() ? -1 : static_cast<int>(found - channelnames.begin());
}

std::string FileHeader::channel_name(int channel) const
{
    const bool exists = channel >= 0 && static_cast<std::size_t>(channel) < channelnames.size();
    return exists ? channelnames[static_cast<std::size_t>(channel)] : std::string();
}

OIIO::TypeDesc FileHeader::channelformat(int channel) const
{
    const bool has_own = channel >= 0 && static_cast<std::size_t>(channel) < channelformats.size();
    return has_own ? channelformats[static_cast<std::size_t>(channel)] : format;
}

std::uint64_t FileHeader::pixel_bytes(bool native) const
{
    if (!native || channelformats.empty()) return static_cast<std::uint64_t>(std::max(nchannels, 0)) * format.size();
    std::uint64_t bytes = 0;
    for (const OIIO::TypeDesc& type : channelformats) bytes += type.size();
    return bytes;
}

std::uint64_t FileHeader::scanline_bytes(bool native) const
{
    return static_cast<std::uint64_t>(std::max(width, 0)) * pixel_bytes(native);
}

std::uint64_t FileHeader::tile_bytes(bool native) const
{
    return pixels(tile_width, tile_height, std::max(tile_depth, 1)) * pixel_bytes(native);
}

std::uint64_t FileHeader::image_pixels() const { return pixels(width, height, depth); }

std::uint64_t FileHeader::image_bytes(bool native) const { return image_pixels() * pixel_bytes(native); }

void FileHeader::attribute(std::string_view name, OIIO::TypeDesc type, const void* value)
{
    extra_attribs.add_or_replace(OIIO::ParamValue(OIIO::string_view(name.data(), name.size()), type, 1, value), false);
}

void FileHeader::attribute(std::string_view name, int value) { attribute(name, OIIO::TypeDesc::INT32, &value); }

void FileHeader::attribute(std::string_view name, float value) { attribute(name, OIIO::TypeDesc::FLOAT, &value); }

void FileHeader::attribute(std::string_view name, const std::string& value)
{
    const char* const text = value.c_str();
    attribute(name, OIIO::TypeDesc::STRING, static_cast<const void*>(&text));
}

const OIIO::ParamValue* FileHeader::find_attribute(std::string_view name) const
{
    const auto found = extra_attribs.find(OIIO::string_view(name.data(), name.size()), OIIO::TypeUnknown, false);
    return found == extra_attribs.cend() ? nullptr : &*found;
}

int FileHeader::get_int_attribute(std::string_view name, int fallback) const
{
    const OIIO::ParamValue* const found = find_attribute(name);
    return found ? found->get_int(fallback) : fallback;
}

float FileHeader::get_float_attribute(std::string_view name, float fallback) const
{
    const OIIO::ParamValue* const found = find_attribute(name);
    return found ? found->get_float(fallback) : fallback;
}

std::string FileHeader::get_string_attribute(std::string_view name) const
{
    const OIIO::ParamValue* const found = find_attribute(name);
    return found && found->type() == OIIO::TypeDesc(OIIO::TypeDesc::STRING) ? found->get_string() : std::string();
}

std::string_view FileHeader::icc_profile() const
{
    const OIIO::ParamValue* const value = find_attribute("ICCProfile");
    if (value == nullptr || value->type().basetype != OIIO::TypeDesc::UINT8) return {};
    return {static_cast<const char*>(value->data()), value->type().size()};
}

void FileHeader::erase_attribute(std::string_view name)
{
    extra_attribs.remove(OIIO::string_view(name.data(), name.size()), OIIO::TypeUnknown, false);
}

void FileHeader::erase_attributes(std::string_view beginning)
{
    std::erase_if(static_cast<std::vector<OIIO::ParamValue>&>(extra_attribs), [&](const OIIO::ParamValue& attribute) {
        return begins_with({attribute.name().data(), attribute.name().size()}, beginning);
    });
}

}  // namespace clconv::oiio
