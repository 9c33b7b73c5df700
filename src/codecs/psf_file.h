// SPDX-License-Identifier: Apache-2.0
// Reads PSFs from files: images, and rows of numbers as text.
#pragma once

#include "base/light.h"
#include "psf/psf.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

struct PsfReading {
    Light light = Light::stored;  ///< linear: images of integers are decoded from sRGB
    std::string part = {};        ///< `--psf-part`: which image of the file (codecs/psf_images.h); empty: the only one
};

struct PsfFile {
    Psf psf;
    std::vector<std::string> warnings = {};  ///< what the user did not choose and should know
};

/// Reads a PSF from an image file or from text (rows of numbers). Its content decides which it is, not its name. The
/// PSF's own alpha channel is dropped. Its name is the file's stem; origin (0, 0), not normalised. Throws InputError,
/// also for a file of several images if none is chosen.
[[nodiscard]] PsfFile read_psf_file(const std::filesystem::path& path, const PsfReading& reading = {});

/// Whether it is read as text: its content begins with a number. Of a file that cannot be looked at, the extension
/// decides.
[[nodiscard]] bool is_text_psf(const std::filesystem::path& path);

}  // namespace clconv
