// SPDX-License-Identifier: Apache-2.0
// How files of the larger formats store their images. Private to stored_form.
#pragma once

#include "formats/stored_form.h"

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// `page`: counted without smaller copies of others.
[[nodiscard]] StoredForm tiff_form(const std::filesystem::path& path, int page);

/// Adds the names of what an Exif block's main directory holds: its texts, GPS, and the resolution.
void read_exif_names(const std::string& block, StoredForm& form);

/// The name of codes that are light to the power of 1 / gamma.
[[nodiscard]] std::string gamma_curve(double gamma);

/// Adds a resolution in dots an inch, and the aspect of pixels that follows from it. Nothing if one is not positive.
void read_resolution(double across, double down, StoredForm& form);

/// JPEG 2000, alone or in boxes (JP2): ISO 15444-1, annexes A and I.
[[nodiscard]] StoredForm jpeg2000_form(const std::filesystem::path& path, int part);

/// HEIF with pictures of AV1 (AVIF) or HEVC (HEIC): ISO 23008-12. The primary item.
[[nodiscard]] StoredForm heif_form(const std::filesystem::path& path, int part);

// raster_forms.cpp
[[nodiscard]] StoredForm bmp_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm cineon_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm dpx_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm fits_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm gif_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm ico_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm iff_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm psd_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm rla_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm sgi_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm softimage_form(const std::filesystem::path& path, int part);
[[nodiscard]] StoredForm targa_form(const std::filesystem::path& path, int part);

}  // namespace clconv::oiio
