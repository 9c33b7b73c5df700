// SPDX-License-Identifier: Apache-2.0
#include "openimageio/conversions.h"

namespace clconv::oiio {
namespace {

/// Copies the fields, whose names are the same.
template <class To, class From>
void copy_fields(To& to, const From& from)
{
    to.x = from.x;
    to.y = from.y;
    to.z = from.z;
    to.width = from.width;
    to.height = from.height;
    to.depth = from.depth;
    to.full_x = from.full_x;
    to.full_y = from.full_y;
    to.full_z = from.full_z;
    to.full_width = from.full_width;
    to.full_height = from.full_height;
    to.full_depth = from.full_depth;
    to.tile_width = from.tile_width;
    to.tile_height = from.tile_height;
    to.tile_depth = from.tile_depth;
    to.nchannels = from.nchannels;
    to.format = from.format;
    to.channelformats = from.channelformats;
    to.channelnames = from.channelnames;
    to.alpha_channel = from.alpha_channel;
    to.z_channel = from.z_channel;
    to.deep = from.deep;
    to.extra_attribs = from.extra_attribs;
}

}  // namespace

FileHeader header_of(const OIIO::ImageSpec& spec)
{
    FileHeader header;
    copy_fields(header, spec);
    return header;
}

OIIO::ImageSpec spec_of(const FileHeader& header)
{
    OIIO::ImageSpec spec;
    copy_fields(spec, header);
    return spec;
}

}  // namespace clconv::oiio
