// SPDX-License-Identifier: Apache-2.0
// Counts results that lie outside an integer type's range by more than one code, and are therefore clamped.
//
// The pass that stores results counts them, by numbers behind the results that work-groups share. Only programs of
// problems that can have such results count (Problem::counts_clamped), so an ordinary blur pays nothing for it.
#pragma once

#include "base/bytes.h"
#include "conv/problem.h"
#include "engine/image_problem.h"
#include "psf/support.h"

#include <cstddef>
#include <cstdint>

#include "../../kernels/clamped.cl"

namespace clconv {

/// Whether any image of this type can have such results. Always false for bloom, where clipped light is intended.
[[nodiscard]] bool may_clamp(const ImageView& image, const PsfSupport& psf, const ConvolveSettings& settings,
                             SampleType output);

inline constexpr std::size_t kClampedBytes = CLAMPED_COUNTS * sizeof(std::uint32_t);

/// The offset of the counts in bytes, behind `results` samples.
[[nodiscard]] std::uint64_t clamped_place(std::uint64_t results, SampleType type);
/// The bytes of `results` samples and, if `problem` counts, of the counts.
[[nodiscard]] std::uint64_t counted_bytes(std::uint64_t results, const Problem& problem);

/// Sets the counts to 0. Does nothing if `problem` does not count.
void clear_clamped(Bytes& samples, std::uint64_t results, const Problem& problem);
/// Returns the sum of the counts and cuts them off, so that `samples` holds the results alone. 0 if `problem` does not
/// count.
[[nodiscard]] std::size_t take_clamped(Bytes& samples, std::uint64_t results, const Problem& problem);

}  // namespace clconv
