// What will run: a value that prints. make_plan() decides; src/engine obeys.
#pragma once

#include "conv/axis.h"
#include "conv/decisions.h"
#include "conv/device_traits.h"
#include "conv/plan_direct.h"
#include "conv/plan_tiled.h"
#include "conv/problem.h"
#include "fft/local_line.h"

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

    /// Complex values of one channel's plane.
    [[nodiscard]] std::uint64_t cells() const
    {
        return static_cast<std::uint64_t>(tiles) * packs * tile_columns * rows_together;
    }
};

struct Plan {
    /// 1: work-items share lines; 8: a work-item owns whole lines, eight side by side (CPUs). With lanes and fft
    /// the spectrum's tiles are single groups of eight columns, `tiles` counts those from one row to the next, and
    /// rows.radices ends with the step across the lanes.
    int lanes = 1;
    Problem problem;
    Extent output;
    Method method = Method::fft;
    Axis x;
    Axis y;
    LinePlan rows;       ///< fft
    LinePlan columns;    ///< fft
    LinePlan rows_back;  ///< fft: the lines of `rows`, as many a work-group; other radices and shape where residence is
                         ///< local
    Spectrum spectrum;   ///< fft
    Passes passes = Passes::fused;    ///< fft: of the columns
    Packing packing = Packing::rows;  ///< fft: with channels, the spectrum's columns 2 k and 2 k + 1 are those of two
                                      ///< channels, and its planes are pairs of channels
    int planes = 1;                   ///< fft: planes in one launch; image_planes() is a multiple of it
    TilePlan tiles;                   ///< tiled
    DirectPlan direct;                ///< direct
    std::vector<std::string> reasons;

    /// fft: the intermediate's planes for all channels of an image, and of a PSF.
    [[nodiscard]] int image_planes() const;
    [[nodiscard]] int psf_planes() const;
    /// Bytes of device memory beside image and result.
    [[nodiscard]] std::uint64_t scratch_bytes() const;
    /// fft, tiled: complex values of the transfer of one PSF plane, in the order in which it is multiplied.
    [[nodiscard]] std::uint64_t transfer_cells() const;
};

/// Throws DeviceError if the device has not what `precision` needs.
void check_supported(Precision precision, const DeviceTraits& traits);

/// Chooses what `decisions` leaves open. Throws InvalidProblem: the problem makes no sense, a forced radix sequence is
/// too short for the padded line, a forced local residence does not fit the device, no tile holds the PSF and tiles
/// were asked for. Throws TooLarge: the device has too little memory for it, or its lines would be too long.
[[nodiscard]] Plan make_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions = {});

/// The decisions that a plan amounts to, forced or chosen; nothing is said of what has no meaning in it.
[[nodiscard]] Decisions decisions_of(const Plan& plan);

/// The plan in words: the problem, a line a pass, the memory, the reasons.
[[nodiscard]] std::string describe(const Plan& plan);

}  // namespace clconv
