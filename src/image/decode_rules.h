// What of a file is read, what reading it may take, and what becomes of damaged ones.
#pragma once

#include "base/byte_count.h"
#include "image/channel_rule.h"

#include <cstdint>

namespace clconv {

struct DecodeRules {
    std::uint64_t most_pixels = kNoLimit;
    std::uint64_t most_memory = kNoLimit;  ///< bytes that a file's decoder and samples may take together
    /// A file that is damaged gives what can be decoded, and Image::damage says why; samples that are missing are NaN
    /// in floats and halves, and 0 in integers. Else it is an InputError.
    bool keeps_damaged = false;
    int part = 0;  ///< the one to read of the file's parts (pages, frames, OpenEXR's parts), counted from 0
    ChannelRule channels = {};  ///< that are to be convolved; the others come as Image::kept
};

}  // namespace clconv
