// The plan of the fft method: rows, columns with the product, rows back.
#pragma once

#include "conv/axis.h"
#include "conv/problem.h"
#include "fft/local_line.h"
#include "plan/decisions.h"
#include "plan/device_traits.h"

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
    int registers = 0;  ///< local: at most so many a work-item; 0: as the compiler likes
    Butterflies butterflies = Butterflies::embedded;
    friend bool operator==(const LinePlan&, const LinePlan&) = default;
};

/// The intermediate: half spectra [channel][tile][packs][tile_columns][rows_together] complex (kernels/spectrum.cl).
struct Spectrum {
    int columns = 0;        ///< row length / 2 + 1
    int tile_columns = 1;   ///< columns that lie side by side
    int rows_together = 2;  ///< rows of one column that lie side by side
    int tiles = 0;
    int packs = 0;  ///< groups of rows_together rows of the image, the result or the PSF, whichever has most
    friend bool operator==(const Spectrum&, const Spectrum&) = default;

    /// Complex values of one channel's plane.
    [[nodiscard]] std::uint64_t cells() const
    {
        return static_cast<std::uint64_t>(tiles) * packs * tile_columns * rows_together;
    }
};

struct FftPlan {
    Axis x;
    Axis y;
    /// 1: work-items share lines; 8: a work-item owns whole lines, eight side by side (CPUs). Then the spectrum's tiles
    /// are single groups of eight columns, `tiles` counts those from one row to the next, and rows.radices ends with
    /// the step across the lanes.
    int lanes = 1;
    LinePlan rows;
    LinePlan columns;
    LinePlan
        rows_back;  ///< the lines of `rows`, as many a work-group; other radices and shape where residence is local
    Spectrum spectrum;
    Passes passes = Passes::fused;    ///< of the columns
    Packing packing = Packing::rows;  ///< with channels, the spectrum's columns 2 k and 2 k + 1 are those of two
                                      ///< channels, and its planes are pairs of channels
    int planes = 1;                   ///< in one launch; planes_of() the image's channels is a multiple of it
    friend bool operator==(const FftPlan&, const FftPlan&) = default;

    /// Work-items own whole lines: then residence and the shapes of work-groups have no meaning.
    [[nodiscard]] bool by_lanes() const { return lanes > 1; }
    /// Some pass goes through global memory, a launch a stage.
    [[nodiscard]] bool goes_global() const
    {
        return rows.residence == Residence::global || columns.residence == Residence::global;
    }

    /// The intermediate's planes for so many channels of an image, or of a PSF.
    [[nodiscard]] int planes_of(int channels) const;
    /// Complex values of the transfer of one PSF plane, in the order in which it is multiplied.
    [[nodiscard]] std::uint64_t transfer_cells() const;
    /// Complex values that the columns leave between the launches of separate passes, for all planes of a launch.
    [[nodiscard]] std::uint64_t separate_cells() const;
    /// Bytes of the intermediate, and of all lines in global memory.
    [[nodiscard]] std::uint64_t spectra_bytes(Precision precision) const;
    [[nodiscard]] std::uint64_t scratch_bytes(Precision precision) const;
};

/// Rows that lie one after the other in the intermediate: those of the image, of the result or of the PSF.
[[nodiscard]] int most_rows(const Axis& y);

/// Chooses what `decisions` leaves open; all planes in one launch. Adds to `reasons`. Throws InvalidProblem: a forced
/// radix sequence is too short for the padded line, a forced local residence does not fit the device, decisions
/// contradict each other. Throws TooLarge: lines would be too long.
[[nodiscard]] FftPlan plan_fft(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions,
                               Programs programs, std::vector<std::string>& reasons);

}  // namespace clconv
