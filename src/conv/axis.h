// SPDX-License-Identifier: Apache-2.0
// One axis of a convolution, planned as a circular convolution: the length of the line, the samples at its positions,
// and the places of the PSF's samples. The outputs are the line's first positions, and nothing wraps into them.
//
// A border with values extends the data to all samples that the outputs need: position n is coordinate `first_source` +
// n of the extended image, n < loaded = output + K - 1. An empty border loads just the image; wrap-around may then fall
// on positions that are not kept, so half a PSF less padding is enough (for `same`: image + floor(K/2)):
//
//     | image ............... | zeros | PSF wraps here
//     | output .............. | not kept
//
// A kernel of infinite support wraps wherever it likes, so the line is closed to a ring: behind the image the border
// goes on, until it meets the border before the image.
//
//     | image ............... | border behind | border before |
//     | output .............. | not kept
//
// A long axis may be several lines (overlap-save). Each loads what its part of the output needs, as if the border had
// values.
#pragma once

#include "conv/problem.h"

#include <optional>
#include <vector>

namespace clconv {

/// One axis of a problem.
struct AxisProblem {
    int count = 1;   ///< samples of the image
    int psf = 1;     ///< samples of the PSF
    int origin = 0;  ///< of the PSF
    Border border = Border::clamp;
    Mode mode = Mode::same;
    KernelSupport support = KernelSupport::finite;
    int parts = 1;  ///< lines that have a part of the result each; fewer if so many are not needed
};
[[nodiscard]] AxisProblem along_x(const Problem& problem);
[[nodiscard]] AxisProblem along_y(const Problem& problem);

struct Axis {
    int count = 0;         ///< samples of the image
    int length = 0;        ///< of the padded line
    int loaded = 0;        ///< positions 0 .. loaded - 1 hold data, the rest is zero
    int first_source = 0;  ///< the image coordinate at position 0
    int output = 0;        ///< samples of the result; without parts, they are at positions 0 .. output - 1
    int psf_first = 0;     ///< the first PSF sample that can bring data to the output, ...
    int psf_count = 0;     ///< ... and their number
    int psf_shift = 0;     ///< PSF sample j lands at position (j + psf_shift) mod length
    bool is_ring = false;  ///< data go around the line: position n also stands for coordinate n - length
    int parts = 1;         ///< lines, each of which has a part of the result at its first positions
    int part = 0;  ///< more than one: samples of a part; position n of line i is position i part + n of the whole

    /// True if some loaded position is outside of the image, so that the border is needed, or if lines are parts.
    [[nodiscard]] bool extended() const { return first_source != 0 || loaded > count || parts > 1; }
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// The coordinate at a position that holds data.
[[nodiscard]] int coordinate_at(const Axis& axis, int position);

/// Samples of the output. Throws InvalidProblem if `valid` has none.
[[nodiscard]] int output_count(const AxisProblem& problem);

/// The image coordinate of the first output sample.
[[nodiscard]] int first_output(const AxisProblem& problem);
[[nodiscard]] Position first_output(const Problem& problem);

/// The axis with the minimum length. Any greater length works too. Throws InvalidProblem if there is no output, and
/// TooLarge if the line would be longer than kMaxLine.
[[nodiscard]] Axis padded_axis(const AxisProblem& problem);

/// Samples of the longest image whose padded_axis() is not too long, whatever `count` is; 0 if there is none.
[[nodiscard]] int max_count(const AxisProblem& problem);

/// The same axis in a longer line.
[[nodiscard]] Axis with_length(Axis axis, int length);

/// For a periodic border: a line of exactly one period, which needs no padding. Its length must not change. None for
/// other borders, and for `full`, whose output is longer than the period.
[[nodiscard]] std::optional<Axis> circular_axis(const AxisProblem& problem);

/// The coordinates at the first positions of parts are multiples of this.
inline constexpr int kPartStep = 4;

/// The image sample at each position, [length]; -1 if there is none or nothing is loaded. With parts, of all of them:
/// [(parts - 1) part + length].
[[nodiscard]] std::vector<int> source_table(const Axis& axis, Border border);

/// Neighbouring positions that hold neighbouring samples of the image, or none.
struct SourceRun {
    int first;   ///< position
    int source;  ///< the image sample at `first`; -1 for none
    int count;
};

/// The runs of a source_table(), or of a part of one, as long as possible.
[[nodiscard]] std::vector<SourceRun> source_runs(const std::vector<int>& sources);

/// The position of PSF sample j.
[[nodiscard]] int psf_position(const Axis& axis, int j);

}  // namespace clconv
