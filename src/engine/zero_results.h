// Where a convolution gives exactly zero: where every sample that the PSF reaches is zero.
//
// Transforms spread a rounding error of the brightest sample over everything, and a bias that was subtracted comes back
// with one. So the host looks for stretches of zeros in the image's rows, keeps of them what the whole PSF fits into,
// and writes what belongs there over what the device has computed. A row of the image is looked at once; what fits is
// found by intersecting stretches, the longest rows of the PSF first, so that images without such places cost next to
// nothing.
#pragma once

#include "base/sample_facts.h"
#include "conv/problem.h"
#include "engine/blending.h"
#include "engine/coarse.h"
#include "psf/support.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace clconv {

/// Positions side by side, both included.
struct Stretch {
    int first;
    int last;
};

/// A convolution, as far as its zeros are concerned.
struct ZeroRule {
    Problem problem;                            ///< of the whole image, interleaved
    std::shared_ptr<const PsfSupport> support;  ///< of the PSF as it is fitted to the image
    Blending blending = {};
    int alpha_channel = -1;
    std::vector<float> outside = {};  ///< [channels], Border::constant: what stands there
    bool has_zeros = true;            ///< of the image: false if no sample is zero
};

/// The same where the image is convolved at a lower resolution: results see somewhat more than the PSF's extent.
[[nodiscard]] ZeroRule coarse_rule(ZeroRule rule, const Coarse& coarse);

/// Whether results are of a type for which zeros are looked for: integers round to zero by themselves.
[[nodiscard]] inline bool wants_exact_zeros(SampleType output) { return !is_integer(output); }

/// The zeros of some rows of a result.
class ZeroResults {
public:
    /// The samples of an image row.
    using Row = std::function<const std::byte*(int row)>;

    /// Of output rows `first` .. `first` + `count` - 1. `row`: asked for what these rows see. `rule` and the samples
    /// must stay as long as this object is used.
    ZeroResults(const ZeroRule& rule, int first, int count, Row row);

    /// Whether columns first .. last of all these rows and channels are zeros.
    [[nodiscard]] bool cover(int first, int last) const;

    /// Writes them over `result`, the rows' samples: 0, or what a blend makes of 0.
    void write(std::byte* result) const;

private:
    [[nodiscard]] const std::vector<Stretch>& at(int row, int channel) const;

    const ZeroRule& rule_;
    int first_;
    int count_;
    Row row_;
    std::vector<std::vector<Stretch>> zeros_;  ///< [row][channel]
};

}  // namespace clconv
