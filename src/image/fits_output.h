// FITS files as the rest of this folder sees writers: one beside OpenImageIO's own, whose FITS (2.4) is short of its
// last block and knows no unsigned integers. Private to src/image.
//
// Bytes go out as they come, with the rows of the top at the end: nothing is held. cfitsio, which writes rows in their
// order and hides a disk that is full in its own buffers, only encodes the checksum.
#pragma once

#include "image/openimageio.h"

#include <memory>

namespace clconv::fits {

/// Needs a stream (set_ioproxy) before it is opened. One image of several channels becomes a cube of as many planes.
/// Several parts of one channel, of one size and type, become the planes of one: open(name, count, headers), then
/// open(name, header, AppendSubimage) for each but the first. The header's cards, and the file's other HDUs, are those
/// of the input if the headers carry them (image/fits_input.h).
[[nodiscard]] std::unique_ptr<OIIO::ImageOutput> create_output();

}  // namespace clconv::fits
