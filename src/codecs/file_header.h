// SPDX-License-Identifier: Apache-2.0
// The header of an image file: size, windows, channels, types, and attributes by name. Private to src/codecs,
// src/encoders and src/openimageio.
#pragma once

#include <OpenImageIO/paramlist.h>
#include <OpenImageIO/typedesc.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::oiio {

/// The fields and attributes have the names and the meaning of OpenImageIO's ImageSpec, of which this is the part that
/// clconv uses. It needs OpenImageIO's library of utilities alone, not the 260 libraries of its codecs, so that common
/// formats are read and written without these: docs/decisions/057-codecs-without-openimageio.md.
///
/// Names of attributes are compared without regard to case.
struct FileHeader {
    FileHeader() = default;
    /// An image at (0, 0) with the default names of channels, and with nothing around it.
    FileHeader(int image_width, int image_height, int channels, OIIO::TypeDesc type);

    int x = 0;  ///< of the data window, as y, z, and its size
    int y = 0;
    int z = 0;
    int width = 0;
    int height = 0;
    int depth = 1;
    int full_x = 0;  ///< of the display window
    int full_y = 0;
    int full_z = 0;
    int full_width = 0;
    int full_height = 0;
    int full_depth = 0;
    int tile_width = 0;  ///< 0: the file has no tiles
    int tile_height = 0;
    int tile_depth = 1;
    int nchannels = 0;
    OIIO::TypeDesc format = OIIO::TypeDesc::UNKNOWN;  ///< the widest, if channels have several types
    std::vector<OIIO::TypeDesc> channelformats;       ///< of each channel; empty if all have `format`
    std::vector<std::string> channelnames;
    int alpha_channel = -1;  ///< -1: none
    int z_channel = -1;
    bool deep = false;
    OIIO::ParamValueList extra_attribs;

    void set_format(OIIO::TypeDesc type);
    /// Y; Y, A; R, G, B; R, G, B, A; and channel4 and so on.
    void default_channel_names();
    /// -1: there is none of this name.
    [[nodiscard]] int channelindex(std::string_view name) const;
    /// Empty if there is no such channel, or if it has no name.
    [[nodiscard]] std::string channel_name(int channel) const;
    [[nodiscard]] OIIO::TypeDesc channelformat(int channel) const;

    /// Bytes of a pixel; `native`: with each channel in its own type.
    [[nodiscard]] std::uint64_t pixel_bytes(bool native = false) const;
    [[nodiscard]] std::uint64_t scanline_bytes(bool native = false) const;
    [[nodiscard]] std::uint64_t tile_bytes(bool native = false) const;
    [[nodiscard]] std::uint64_t image_pixels() const;
    [[nodiscard]] std::uint64_t image_bytes(bool native = false) const;

    void attribute(std::string_view name, OIIO::TypeDesc type, const void* value);
    void attribute(std::string_view name, int value);
    void attribute(std::string_view name, float value);
    void attribute(std::string_view name, const std::string& value);
    void attribute(std::string_view name, const char* value) { attribute(name, std::string(value)); }

    /// Null if there is none. The pointer is valid until an attribute is added or erased.
    [[nodiscard]] const OIIO::ParamValue* find_attribute(std::string_view name) const;
    /// The value if it can be converted, else `fallback`.
    [[nodiscard]] int get_int_attribute(std::string_view name, int fallback = 0) const;
    [[nodiscard]] float get_float_attribute(std::string_view name, float fallback = 0) const;
    /// Empty if there is none, or if it is no text.
    [[nodiscard]] std::string get_string_attribute(std::string_view name) const;

    /// Bytes of the ICC profile; empty if there is none.
    [[nodiscard]] std::string_view icc_profile() const;

    void erase_attribute(std::string_view name);
    /// Erases all whose names begin so.
    void erase_attributes(std::string_view beginning);
};

/// Whether samples of `type` are requested, or given, as they are stored.
[[nodiscard]] inline bool is_as_stored(const OIIO::TypeDesc& type, const OIIO::TypeDesc& stored)
{
    return type.basetype == OIIO::TypeDesc::UNKNOWN || type == stored;
}

}  // namespace clconv::oiio
