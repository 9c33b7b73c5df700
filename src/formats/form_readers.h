// SPDX-License-Identifier: Apache-2.0
// How files of the larger formats store their images. Private to stored_form.
#pragma once

#include "formats/stored_form.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clconv::oiio {

/// StoredForm::order.
inline constexpr const char* kFromAbove = "the upper row first";
inline constexpr const char* kFromBelow = "the lowest row first";

/// Of these pages, counted without smaller copies of others.
[[nodiscard]] std::vector<StoredForm> tiff_forms(const std::filesystem::path& path, std::span<const int> pages);

/// Adds the orientation that an Exif block states, the names of what its main directory holds (its texts, GPS, and the
/// resolution), and the aspect of pixels, unless the format itself states it.
void read_exif(const std::string& block, StoredForm& form);

/// The name of codes that are light to the power of 1 / gamma.
[[nodiscard]] std::string gamma_curve(double gamma);

/// Adds a resolution in dots an inch, and the aspect of pixels that follows from it. Nothing if one is not positive.
void read_resolution(double across, double down, StoredForm& form);

[[nodiscard]] StoredForm jpeg_form(const std::filesystem::path& path);

/// JPEG 2000, alone or in boxes (JP2): ISO 15444-1, annexes A and I.
[[nodiscard]] StoredForm jpeg2000_form(const std::filesystem::path& path);

/// HEIF with pictures of AV1 (AVIF) or HEVC (HEIC): ISO 23008-12. The primary item.
[[nodiscard]] StoredForm heif_form(const std::filesystem::path& path);

// raster_forms.cpp
[[nodiscard]] StoredForm bmp_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm cineon_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm dpx_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm fits_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm gif_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm ico_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm iff_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm psd_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm rla_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm sgi_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm softimage_form(const std::filesystem::path& path);
[[nodiscard]] StoredForm targa_form(const std::filesystem::path& path);

}  // namespace clconv::oiio
