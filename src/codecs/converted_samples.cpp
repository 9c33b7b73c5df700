// SPDX-License-Identifier: Apache-2.0
#include "codecs/converted_samples.h"

#include "codecs/white_zero.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace clconv::oiio {
namespace {

/// The warning about the colours of an image; without a text if there is none.
Warning conversion_of(const TiffStorage& storage)
{
    const char* space = nullptr;
    switch (storage.photometric) {
        case Photometric::cielab:
        case Photometric::icclab:
        case Photometric::itulab: space = "CIE L*a*b*"; break;
        case Photometric::log_l: space = "LogL"; break;
        case Photometric::log_luv: space = "LogLuv"; break;
        case Photometric::palette:
            if (!storage.has_fine_palette) return {};
            return {WarningKind::type,
                    "the colours of its palette have 16 bits, of which the library reads 8; outputs are RGB",
                    "palette of 16 bits", "u8"};
        default: return {};
    }
    return {WarningKind::photometric,
            fmt::format("holds {} samples of {} bits, which the library converts to RGB of 8 bits; outputs are RGB",
                        space, storage.bits),
            fmt::format("{} of {} bits", space, storage.bits), "RGB of 8 bits"};
}

}  // namespace

std::vector<Warning> warnings_of(const std::filesystem::path& path, const Metadata& metadata)
{
    std::vector<Warning> warnings;
    if (Warning warning = metadata.tiff ? conversion_of(*metadata.tiff) : Warning(); !warning.message.empty()) {
        warning.message = path.string() + ": " + warning.message;
        warnings.push_back(std::move(warning));
    }
    if (is_white_zero(metadata) && !is_inverted(metadata))
        warnings.emplace_back(WarningKind::photometric,
                              fmt::format("{}: its samples are white-is-zero numbers without a largest one, so that "
                                          "they are convolved as they are "
                                          "stored, and a border of 0 is white",
                                          path.string()));
    return warnings;
}

}  // namespace clconv::oiio
