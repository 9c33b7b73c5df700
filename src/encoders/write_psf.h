// SPDX-License-Identifier: Apache-2.0
// Writes a PSF as an image file.
#pragma once

#include "base/sample_type.h"
#include "psf/psf.h"

#include <filesystem>
#include <optional>

namespace clconv {

/// Writes a PSF's weights as an image of floats, or of the nearest type that the format can hold, as write_image()
/// does: integers hold 0 to 1. `type`: of the samples, instead of float.
void write_psf(const std::filesystem::path& path, const Psf& psf, std::optional<SampleType> type = {});

}  // namespace clconv
