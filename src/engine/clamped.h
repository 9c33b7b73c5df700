// Results that integers clamp by more than a code: whether there can be any, and how many there were.
//
// The pass that stores results counts them, in a number behind the results; only programs of problems that may have
// some do so (Problem::counts_clamped), so that a blur costs what it did.
#pragma once

#include "base/bytes.h"
#include "conv/problem.h"
#include "engine/image_problem.h"
#include "psf/support.h"

#include <cstddef>
#include <cstdint>

namespace clconv {

/// Whether some image of this type may have such results. Bloom is not asked: that bright light clips is what it is
/// for.
[[nodiscard]] bool may_clamp(const ImageView& image, const PsfSupport& psf, const ConvolveSettings& settings,
                             SampleType output);

/// Where the number lies behind so many results, in bytes: as clamped_at() of kernels/image.cl.
[[nodiscard]] std::uint64_t clamped_place(std::uint64_t results, SampleType type);
/// What results take together with it.
[[nodiscard]] std::uint64_t counted_bytes(std::uint64_t results, const Problem& problem);

/// Where it is counted: sets the number to 0. Nothing if `problem` does not count.
void clear_clamped(Bytes& samples, std::uint64_t results, const Problem& problem);
/// Takes the number from behind `results`, which are left with the others; 0 if `problem` does not count.
[[nodiscard]] std::size_t take_clamped(Bytes& samples, std::uint64_t results, const Problem& problem);

}  // namespace clconv
