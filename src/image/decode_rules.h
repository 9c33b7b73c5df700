// SPDX-License-Identifier: Apache-2.0
// Which part of a file is read, the limits for reading it, and the treatment of damaged files.
#pragma once

#include "base/byte_count.h"
#include "image/channel_rule.h"
#include "image/nodata.h"

#include <cstdint>

namespace clconv {

struct DecodeRules {
    std::uint64_t max_pixels = kNoLimit;
    std::uint64_t max_memory = kNoLimit;  ///< bytes that a file's decoder and samples may take together
    /// If true, a damaged file gives what can be decoded, and Image::damage has the reason. Missing samples are NaN in
    /// floats and halves, and 0 in integers. Otherwise damage is an InputError.
    bool keeps_damaged = false;
    bool keeps_doubles = false;  ///< doubles stay doubles, for devices that compute in double; else they become floats
    int part = 0;                ///< the part to read (page, frame, part of an OpenEXR file), counted from 0
    ChannelRule channels = {};   ///< the channels to convolve; the others become Image::kept
    bool refuses_inks = false;   ///< CMYK is an error, for work that has a meaning for light only
    NodataRule nodata = {};      ///< which samples become NaN, because they are missing
};

}  // namespace clconv
