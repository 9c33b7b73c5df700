// SPDX-License-Identifier: Apache-2.0
// Changes the values of a PSF's file before it is scaled: `--psf-clamp` and `--psf-power`. Pictures of glares, drawn or
// photographed, often have clipped cores, and tails that are too bright, because 8 bits hold only about two decades.
#pragma once

#include "psf/psf.h"

namespace clconv {

/// `psf` with all values of at most `maximum`.
[[nodiscard]] Psf limited(Psf psf, double maximum);

/// Each value to the power of `power`. Throws InvalidProblem if one is negative.
[[nodiscard]] Psf raised(Psf psf, double power);

}  // namespace clconv
