// SPDX-License-Identifier: Apache-2.0
// Makes a PSF from words.
//
// Every pixel gets the integral of the light that falls on it. Each term is then scaled to its weight, so the light
// that an extent cuts off is spread over the rest: gaussian:2*0.9+glow:400*0.1 has nine tenths of its light in the core
// and sums to 1.
#pragma once

#include "psf/words.h"

#include <optional>

namespace clconv {

struct GeneratedPsf {
    Psf psf;           ///< its origin is its centre, (floor(width / 2), floor(height / 2)); named by the words
    double share = 1;  ///< of the light on the infinite plane that the extent holds; the minimum of all terms
};

/// `size`: of the PSF, overrides the words. Without a size, a term's extent is the smallest odd one that holds its
/// share, centred. A sum is as large as its largest term. Throws InvalidProblem if arguments contradict each other, or
/// if an extent is above kMaxPsfSize or holds no light.
[[nodiscard]] GeneratedPsf generated(const PsfWords& words, std::optional<int> size, const ReadPsfFile& read);

}  // namespace clconv
