// SPDX-License-Identifier: Apache-2.0
// Runs the pieces of a convolution (plan/pieces.h) band by band: gathers each piece's samples with the border applied,
// lets the caller convolve it, and puts the result in its place.
//
// The caller supplies image rows and takes output rows. Both may be in memory, or in files that are read and written a
// band at a time. The caller also convolves the pieces, so this code needs no device.
#pragma once

#include "base/bytes.h"
#include "engine/zero_rule.h"
#include "passes/blending.h"
#include "plan/pieces.h"
#include "psf/psf.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
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

/// An image that is convolved in pieces, without its samples.
struct BandedImage {
    Pieces pieces;
    int alpha_channel = -1;          ///< -1: none
    std::shared_ptr<const Psf> psf;  ///< as the caller gave it; its address identifies it
    Psf fitted;                      ///< to the image: of pieces.whole.psf_channels channels
    std::vector<double> bias;        ///< one value a channel, subtracted from every piece
    std::vector<double> outside;     ///< [channels], the value where the border has gaps (conv/border.h)
    Blending blending;               ///< of this image
    /// The exact zeros of pieces.whole. None: they are not looked for, and results there may be only close to zero.
    std::optional<ZeroRule> zeros = {};
};

class BandedConvolution {
public:
    explicit BandedConvolution(BandedImage image) : image_(std::move(image)) {}

    [[nodiscard]] const BandedImage& image() const { return image_; }
    [[nodiscard]] const Pieces& pieces() const { return image_.pieces; }
    [[nodiscard]] int bands() const { return pieces().rows.count(); }
    /// The output rows of a band that earlier bands do not have.
    [[nodiscard]] int new_rows(int band) const { return pieces().rows.size - pieces().rows.repeated(band); }

    /// Writes the new rows of a band to `result`, whole and without gaps.
    void convolve(int band, const ImageRows& rows, const PieceQueue& queue, std::byte* result) const;

private:
    [[nodiscard]] PieceInput piece(int band, int column, const ImageRows& rows) const;
    void place(int band, int column, const Bytes& output, std::byte* result) const;
    [[nodiscard]] Bytes gather(const ImageRows& image, const std::vector<int>& columns,
                               const std::vector<int>& rows) const;

    BandedImage image_;
};

}  // namespace clconv
