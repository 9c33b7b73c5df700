// Runs the pieces of a convolution (plan/pieces.h) band by band: gathers each piece's samples with the border applied,
// has it convolved, and puts the result in its place.
//
// Where image rows come from and where output rows go is the caller's: both may be in memory, or in files that are read
// and written a band at a time. How a piece is convolved is passed in, so that this needs no device.
#pragma once

#include "base/bytes.h"
#include "engine/blending.h"
#include "engine/zero_results.h"
#include "plan/pieces.h"
#include "psf/psf.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace clconv {

/// A piece on its way to a device.
struct PieceInput {
    Bytes samples;                  ///< of the problem of piece_problem(), interleaved
    std::vector<double> coverage;   ///< renormalize: of the piece's outputs, as convolved_coverage(); else empty
    std::vector<double> mask = {};  ///< a masked blend: of the piece's outputs; else empty
};

/// Convolves pieces, several of which may overlap.
struct PieceQueue {
    int capacity = 1;  ///< pieces that may be started and not yet finished
    std::function<void(PieceInput piece)> start;
    std::function<Bytes()> finish;  ///< of the piece that was started first: its output samples, interleaved
};

/// The samples of an image row; only asked for rows of band_rows().
using ImageRows = std::function<const std::byte*(int row)>;

class BandedConvolution {
public:
    /// `psf`: as many channels as pieces.whole.psf_channels. `bias`: one a channel, what is subtracted from every
    /// piece. `outside`: what stands outside the image where its border is empty. `blending`: of this image.
    /// `zeros`: of pieces.whole, to be looked for; none: results may be next to zero.
    BandedConvolution(Pieces pieces, Psf psf, std::vector<float> bias, std::vector<float> outside, Blending blending,
                      std::optional<ZeroRule> zeros = {});

    [[nodiscard]] const Pieces& pieces() const { return pieces_; }
    [[nodiscard]] const Psf& psf() const { return psf_; }
    [[nodiscard]] const std::vector<float>& bias() const { return bias_; }
    [[nodiscard]] const Blending& blending() const { return blending_; }
    [[nodiscard]] int bands() const { return pieces_.rows.count(); }
    [[nodiscard]] const std::optional<ZeroRule>& zeros() const { return zeros_; }
    /// How many output rows of a band the ones before have not given.
    [[nodiscard]] int new_rows(int band) const { return pieces_.rows.size - pieces_.rows.repeated(band); }

    /// Writes the new rows of a band to `result`, whole and without gaps.
    void convolve(int band, const ImageRows& image, const PieceQueue& queue, std::byte* result) const;

private:
    [[nodiscard]] PieceInput piece(int band, int column, const ImageRows& image) const;
    void place(int band, int column, const Bytes& output, std::byte* result) const;
    [[nodiscard]] Bytes gather(const ImageRows& image, const std::vector<int>& columns,
                               const std::vector<int>& rows) const;

    Pieces pieces_;
    Psf psf_;
    std::vector<float> bias_;
    std::vector<float> outside_;
    Blending blending_;
    std::optional<ZeroRule> zeros_;
};

}  // namespace clconv
