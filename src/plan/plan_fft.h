// SPDX-License-Identifier: Apache-2.0
// The plan of the fft method: rows, columns with the product, rows back.
#pragma once

#include "base/device_traits.h"
#include "conv/axis.h"
#include "conv/problem.h"
#include "fft/local_line.h"
#include "plan/decisions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clconv {

/// How the lines of one pass are transformed.
struct LinePlan {
    std::vector<int> radices;  ///< first stage first; their product is the axis's length
    Residence residence = Residence::local;
    int lines = 1;      ///< local: lines a work-group
    LocalLine local;    ///< local: how a work-group shares a line
    int registers = 0;  ///< local: limit for a work-item; 0: the compiler chooses
    Butterflies butterflies = Butterflies::embedded;
    friend bool operator==(const LinePlan&, const LinePlan&) = default;
};

/// The intermediate: half spectra [channel][bundles][packs][bundle_columns][rows_together] complex
/// (kernels/spectrum.cl).
struct Spectrum {
    int columns = 0;         ///< row length / 2 + 1, twice as many with packing=channels; joint: the row length
    int bundle_columns = 1;  ///< columns that are side by side
    int rows_together = 2;   ///< rows of one column that are side by side
    int bundles = 0;
    int packs = 0;  ///< groups of rows_together rows of the image, the result or the PSF, whichever ends last
    friend bool operator==(const Spectrum&, const Spectrum&) = default;

    /// Complex values of one channel's plane.
    [[nodiscard]] std::uint64_t cells() const
    {
        return static_cast<std::uint64_t>(bundles) * packs * bundle_columns * rows_together;
    }
};

struct FftPlan : Variants<Chosen> {
    Axis x;
    Axis y;
    /// 1: work-items share lines. 8, 16: a work-item owns whole lines (CPUs), so many columns side by side, and eight
    /// parts of a row. The spectrum's bundles are then single vectors of `lanes` columns, and rows.radices ends with
    /// the step across the eight parts.
    int lanes = 1;
    LinePlan rows;
    LinePlan columns;
    LinePlan rows_back;  ///< as long as `rows`, and as many lines a work-group; with local residence, radices and
                         ///< shape may differ
    Spectrum spectrum;
    int planes = 1;             ///< in one launch; a divisor of planes_of() the image's channels
    bool long_columns = false;  ///< by lanes: columns lie in global memory, because local memory does not hold one
    int image_row = 0;          ///< by lanes: of the intermediate, where the image's first row lies (plan_lanes.h)
    bool conjugates = false;    ///< columns are multiplied by the conjugate transfer (plan/adjoint.h)
    friend bool operator==(const FftPlan&, const FftPlan&) = default;

    /// Whether work-items own whole lines. If so, residence and the shapes of work-groups have no meaning.
    [[nodiscard]] bool by_lanes() const { return lanes > 1; }
    /// Whether the intermediate has joint spectra of two channels.
    [[nodiscard]] bool joint() const { return product != Product::split; }
    /// Whether some pass goes through global memory, with a launch for each stage.
    [[nodiscard]] bool goes_global() const
    {
        return rows.residence == Residence::global || columns.residence == Residence::global;
    }

    /// Channels whose lines a work-group of the rows back has, of an image with this number of channels.
    [[nodiscard]] int channels_back(int channels) const { return storing == Storing::pixels ? channels : 1; }
    /// The intermediate's planes for this number of channels of an image, or of a PSF.
    [[nodiscard]] int planes_of(int channels) const;
    /// Complex values of the transfer of one PSF plane.
    [[nodiscard]] std::uint64_t transfer_cells() const;
    /// Complex values between the launches of separate column passes, for all planes of a launch.
    [[nodiscard]] std::uint64_t separate_cells() const;
    /// Buffers of spectra: columns in parts go from one to another, unless lanes do them one after the other.
    [[nodiscard]] std::uint64_t intermediates() const { return y.parts > 1 && !by_lanes() ? 2 : 1; }
    /// Bytes of one, and of all of them and all lines in global memory.
    [[nodiscard]] std::uint64_t spectra_bytes(Precision precision) const;
    [[nodiscard]] std::uint64_t scratch_bytes(Precision precision) const;
};

/// Rows in the intermediate: those of the image, of the result or of the PSF, whichever has the most.
[[nodiscard]] int max_rows(const Axis& y);

/// Makes all choices that `decisions` leaves open, with all planes in one launch. Adds to `reasons`. Throws
/// InvalidProblem if a forced radix sequence is too short for the padded line, a forced local residence does not fit
/// the device, or decisions contradict each other. Throws TooLarge if lines would be too long.
[[nodiscard]] FftPlan plan_fft(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions,
                               Programs programs, std::vector<std::string>& reasons);

}  // namespace clconv
