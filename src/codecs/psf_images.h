// SPDX-License-Identifier: Apache-2.0
// Which image of a PSF's file is the PSF: `--psf-part N|NAME`. Private to src/codecs.
//
// Pages, parts and frames are counted from 0, as for --parts. HDUs of FITS files are counted as everywhere: the primary
// HDU is 0. `HDU:PLANE` is a plane of a cube, counted from 0, and `HDU:all` takes all its planes as channels. If a cube
// is the only image of its file, PLANE and `all` alone mean the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace clconv::oiio {

struct PsfImages {
    int hdu = 0;                        ///< of a FITS file, from 1; 0: of another format
    std::vector<int> parts = {0};       ///< DecodeRules::part, or the plane, of each image whose channels are the PSF's
    std::vector<std::string> warnings;  ///< what the user did not choose and should know
};

/// The images that `wanted` names, or with nothing the only one. Without a choice, a FITS file of several images means
/// its first one, and a cube of three planes means three colours, both with a warning. Throws InputError, which says
/// what the file holds: several images without a choice, or no image of that name or number.
[[nodiscard]] PsfImages psf_images(const std::filesystem::path& path, const std::string& wanted);

}  // namespace clconv::oiio
