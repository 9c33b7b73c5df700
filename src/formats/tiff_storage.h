// SPDX-License-Identifier: Apache-2.0
// How a TIFF's page stores its samples, as its directory says, without a library.
#pragma once

#include "formats/jpeg_encoding.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace clconv::oiio {

/// Values of PhotometricInterpretation: TIFF 6.0, sections 3 to 23, and libtiff's.
enum class Photometric : int {
    white_is_zero = 0,
    black_is_zero = 1,
    rgb = 2,
    palette = 3,
    inks = 5,
    ycbcr = 6,
    cielab = 8,
    icclab = 9,
    itulab = 10,
    log_l = 32844,
    log_luv = 32845,
};

struct TiffStorage {
    Photometric photometric = Photometric::black_is_zero;
    int bits = 0;  ///< of a sample; 0: not said, which means 1
    int samples = 1;
    /// The samples behind the colours: 0 not specified, 1 associated alpha, 2 straight alpha (TIFF 6.0, section 18).
    std::vector<std::uint16_t> extra_samples = {};
    bool is_jpeg = false;
    /// Quality and subsampling of a JPEG, if its tables could be read.
    std::optional<JpegEncoding> jpeg = {};
    /// Whether some colours of a palette do not fit 8 bits.
    bool has_fine_palette = false;
};

/// Of the page whose directory lies at byte `page`, or of the first page if `page` is 0. None if the file is not a
/// TIFF, or if the directory is damaged.
[[nodiscard]] std::optional<TiffStorage> tiff_storage(const std::filesystem::path& path, std::uint64_t page);

}  // namespace clconv::oiio
