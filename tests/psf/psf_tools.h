// SPDX-License-Identifier: Apache-2.0
// Small PSFs for the tests.
#pragma once

#include "psf/psf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace clconv::testing {

/// A PSF of `weights`, plane by plane, as many planes as they fill.
inline Psf make_psf(Extent extent, std::vector<double> weights)
{
    Psf psf;
    psf.name = "test";
    psf.extent = extent;
    psf.channels = static_cast<int>(weights.size() / extent.pixels());
    psf.weights = std::move(weights);
    return psf;
}

}  // namespace clconv::testing
