// Runs the pieces of a convolution (plan/pieces.h) band by band: gathers each piece's samples with the border applied,
// lets the caller convolve it, and puts the result in its place.
//
// The caller supplies image rows and takes output rows. Both may be in memory, or in files that are read and written a
// band at a time. The caller also convolves the pieces, so this code needs no device.
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

/// The input of one piece.
struct PieceInput {
    Bytes samples;                  ///< of the problem of piece_problem(), interleaved
    std::vector<double> coverage;   ///< renormalize: convolved_coverage() of the piece's outputs; else empty
    std::vector<double> mask = {};  ///< a masked blend: of the piece's outputs; else empty
};

/// Convolves pieces. Several may overlap.
struct PieceQueue {
    int capacity = 1;  ///< pieces that may be started before the first is finished
    std::function<void(PieceInput piece)> start;
    std::function<Bytes()> finish;  ///< returns the output samples of the oldest piece, interleaved
};

/// Returns the samples of an image row. Called for rows of band_rows() only.
using ImageRows = std::function<const std::byte*(int row)>;

class BandedConvolution {
public:
    /// `psf`: as many channels as pieces.whole.psf_channels. `bias`: one value a channel, subtracted from every piece.
    /// `outside`: the value outside of the image if its border is empty. `blending`: of this image. `zeros`: of
    /// pieces.whole, to be looked for; none: results may be next to zero.
    BandedConvolution(Pieces pieces, Psf psf, std::vector<float> bias, std::vector<float> outside, Blending blending,
                      std::optional<ZeroRule> zeros = {});

    [[nodiscard]] const Pieces& pieces() const { return pieces_; }
    [[nodiscard]] const Psf& psf() const { return psf_; }
    [[nodiscard]] const std::vector<float>& bias() const { return bias_; }
    [[nodiscard]] const Blending& blending() const { return blending_; }
    [[nodiscard]] int bands() const { return pieces_.rows.count(); }
    [[nodiscard]] const std::optional<ZeroRule>& zeros() const { return zeros_; }
    /// The output rows of a band that earlier bands do not have.
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
