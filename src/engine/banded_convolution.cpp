// SPDX-License-Identifier: Apache-2.0
#include "engine/banded_convolution.h"

#include "base/light.h"
#include "base/sample_value.h"
#include "conv/axis.h"
#include "engine/zero_results.h"
#include "passes/coverage.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

namespace clconv {
namespace {

/// Writes samples in a piece's type: as they are, or as floats.
class SampleWriter {
public:
    SampleWriter(const Problem& whole, const Problem& piece, std::span<const double> outside, std::byte* to)
        : from_(whole.input),
          piece_type_(piece.input),
          channels_(static_cast<std::size_t>(whole.channels)),
          outside_(outside),
          converts_(piece.input != whole.input),
          decodes_(piece.decode_srgb != whole.decode_srgb),
          to_(to)
    {
    }

    void pixels(const std::byte* row, int first, int count)
    {
        const std::size_t begin = static_cast<std::size_t>(first) * channels_;
        const std::size_t samples = static_cast<std::size_t>(count) * channels_;
        if (!converts_) {
            const std::size_t bytes = samples * bytes_of(from_);
            std::memcpy(to_, row + begin * bytes_of(from_), bytes);
            to_ += bytes;
            return;
        }
        for (std::size_t i = begin; i < begin + samples; ++i) {
            const double value = sample_value(row, from_, i);
            put(decodes_ ? srgb_decoded(value) : value);
        }
    }

    /// Writes `count` samples outside of the image. Only pieces of floats and doubles can have an outside that is not
    /// zero.
    void nothing(int count)
    {
        const std::size_t samples = static_cast<std::size_t>(count) * channels_;
        const bool zero = std::all_of(outside_.begin(), outside_.end(), [](double value) { return value == 0; });
        if (zero) {
            const std::size_t bytes = samples * bytes_of(piece_type_);
            std::memset(to_, 0, bytes);
            to_ += bytes;
            return;
        }
        for (std::size_t i = 0; i < samples; ++i) put(outside_[i % channels_]);
    }

private:
    void put(double value)
    {
        if (piece_type_ == SampleType::float64) return store(value);
        store(static_cast<float>(value));
    }
    template <class T>
    void store(T sample)
    {
        std::memcpy(to_, &sample, sizeof(sample));
        to_ += sizeof(sample);
    }

    SampleType from_;
    SampleType piece_type_;
    std::size_t channels_;
    std::span<const double> outside_;
    bool converts_;
    bool decodes_;
    std::byte* to_;
};

std::size_t pixel_bytes(int channels, SampleType type) { return static_cast<std::size_t>(channels) * bytes_of(type); }

}  // namespace

Bytes BandedConvolution::gather(const ImageRows& image, const std::vector<int>& columns,
                                const std::vector<int>& rows) const
{
    const Problem& piece = pieces().plan.problem;
    Bytes samples(piece.image.pixels() * pixel_bytes(piece.channels, piece.input));
    SampleWriter writer(pieces().whole, piece, image_.outside, samples.data());
    const std::vector<SourceRun> runs = source_runs(columns);
    for (const int y : rows) {
        if (y < 0) {
            writer.nothing(piece.image.width);
            continue;
        }
        const std::byte* const row = image(y);
        for (const SourceRun& run : runs)
            if (run.source < 0)
                writer.nothing(run.count);
            else
                writer.pixels(row, run.source, run.count);
    }
    return samples;
}

void BandedConvolution::place(int band, int column, const Bytes& output, std::byte* result) const
{
    const Cuts& across = pieces().columns;
    const Cuts& down = pieces().rows;
    const std::size_t pixel = pixel_bytes(pieces().whole.channels, pieces().whole.output);
    const int left = across.repeated(column);
    for (int y = down.repeated(band); y < down.size; ++y) {
        const std::size_t from = static_cast<std::size_t>(y) * across.size + left;
        const std::size_t to =
            static_cast<std::size_t>(y - down.repeated(band)) * across.total + across.first(column) + left;
        std::memcpy(result + to * pixel, output.data() + from * pixel,
                    static_cast<std::size_t>(across.size - left) * pixel);
    }
}

PieceInput BandedConvolution::piece(int band, int column, const ImageRows& rows) const
{
    const Problem& whole = pieces().whole;
    const Cuts& across = pieces().columns;
    const Cuts& down = pieces().rows;
    const Position first{across.first(column), down.first(band)};
    PieceInput input;
    input.samples = gather(rows, piece_sources(along_x(whole), first.x, across.size),
                           piece_sources(along_y(whole), first.y, down.size));
    if (mode_of(whole.border).divides_by_coverage)
        input.coverage = convolved_coverage(whole, image_.fitted, first, {across.size, down.size});
    if (image_.blending.mask)
        input.mask = part_of(*image_.blending.mask,
                             {first.x + first_output(along_x(whole)), first.y + first_output(along_y(whole))},
                             {across.size, down.size});
    return input;
}

void BandedConvolution::convolve(int band, const ImageRows& rows, const PieceQueue& queue, std::byte* result) const
{
    const Cuts& across = pieces().columns;
    const Cuts& down = pieces().rows;
    std::optional<ZeroResults> zeros;
    if (image_.zeros) zeros.emplace(*image_.zeros, down.first(band) + down.repeated(band), new_rows(band), rows);
    std::deque<int> started;
    const auto place_first = [&] {
        place(band, started.front(), queue.finish(), result);
        started.pop_front();
    };
    for (int column = 0; column < across.count(); ++column) {
        const int left = across.first(column) + across.repeated(column);
        if (zeros && zeros->cover(left, across.first(column) + across.size - 1)) continue;
        PieceInput input = piece(band, column, rows);
        if (static_cast<int>(started.size()) == queue.capacity) place_first();
        queue.start(std::move(input));
        started.push_back(column);
    }
    while (!started.empty()) place_first();
    if (zeros) zeros->write(result);
}

}  // namespace clconv
