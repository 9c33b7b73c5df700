// SPDX-License-Identifier: Apache-2.0
// A convolution that is too large for a device, or for the host's memory, is cut into pieces (overlap-save).
//
// The output is cut into equal rectangles. Each is a convolution of mode `valid` of all samples that its outputs need:
//
//     the extended image  | K - 1 - origin | .... a piece's output .... | origin |
//
// The code that gathers a piece's samples applies the border, by piece_sources(): outside of the image's true edges
// there are the border's values, inside the real neighbours. So all pieces are one problem with one plan, and an output
// does not depend on the cuts, except for rounding. A row of pieces is a band. Bands go from top to bottom, so that an
// image can be read and written by rows.
#pragma once

#include "base/byte_count.h"
#include "base/ceil_div.h"
#include "plan/plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace clconv {

/// Equal stretches that cover the positions 0 .. total - 1 of an output along one axis. If the last one would overhang,
/// it starts earlier and repeats positions of the one before.
struct Cuts {
    int total = 0;
    int size = 0;  ///< of each stretch

    [[nodiscard]] int count() const { return ceil_div(total, size); }
    /// The first position of stretch i.
    [[nodiscard]] int first(int i) const { return std::min(i * size, total - size); }
    /// The number of its positions that stretch i - 1 already has.
    [[nodiscard]] int repeated(int i) const { return i * size - first(i); }
    friend bool operator==(const Cuts&, const Cuts&) = default;
};

struct Pieces {
    Problem whole;
    Plan plan;  ///< of each piece
    Cuts columns;
    Cuts rows;

    /// Bytes on the host for a band: the image rows that it needs, its output rows, and the pieces in flight.
    [[nodiscard]] std::uint64_t host_bytes() const;
};

/// The cheapest pieces whose plan fits the device and whose host_bytes() are at most `host_limit`. If all need more,
/// those that need the fewest bytes. Throws TooLarge if none fits the device; pieces much smaller than the PSF would be
/// only overlap, and are not tried. Throws what make_plan() throws.
[[nodiscard]] Pieces plan_pieces(const Problem& whole, const DeviceTraits& traits, const Decisions& decisions,
                                 std::uint64_t host_limit = kNoLimit);

/// The problem of each piece whose output is `output`. Its border is empty: `zero`, or `renormalize` with the coverage
/// of the whole. Where the border has a value that samples may not be able to hold (constant; for renormalize, the
/// bias), pieces are gathered as floats.
[[nodiscard]] Problem piece_problem(const Problem& whole, Extent output);

/// The image sample at each position of the input of a piece whose output starts at `first`, [size + K - 1]; -1 if
/// there is none.
[[nodiscard]] std::vector<int> piece_sources(const AxisProblem& whole, int first, int size);

/// The image rows that band `band` needs, in order, each once.
[[nodiscard]] std::vector<int> band_rows(const Pieces& pieces, int band);

/// The plan of a piece in words, and the number of pieces.
[[nodiscard]] std::string describe(const Pieces& pieces);

}  // namespace clconv
