// SPDX-License-Identifier: Apache-2.0
#include "plan/pieces.h"

#include "base/ceil_div.h"
#include "base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clconv {
namespace {

/// The cost of a piece besides its samples, in samples: gathering, launches, transfers.
constexpr double kPieceOverhead = 1 << 16;
/// Pieces on the host: one is gathered, one travels to the device and one from it.
constexpr std::uint64_t kPiecesInFlight = 3;

/// A stretch shorter than a quarter of the PSF would compute five times as many samples along each axis.
int min_size(int total, int psf) { return std::min(total, std::max(16, psf / 4)); }

/// The sizes of 1, 2, 3, ... equal stretches, down to the minimum, in steps of about a tenth.
std::vector<int> sizes_of(int total, int psf)
{
    std::vector<int> sizes;
    const int minimum = min_size(total, psf);
    for (int count = 1; ceil_div(total, count) > minimum; count += 1 + count / 10) {
        const int size = ceil_div(total, count);
        if (sizes.empty() || size < sizes.back()) sizes.push_back(size);
    }
    sizes.push_back(minimum);
    return sizes;
}

/// Bytes that the host holds for a band of such pieces.
std::uint64_t host_bytes(const Problem& whole, const Problem& piece, Extent piece_output, int output_width)
{
    const Extent needed{whole.image.width, std::min(piece.image.height, whole.image.height)};
    const Extent band{output_width, piece_output.height};
    const std::uint64_t one =
        piece.image.pixels() * bytes_of(piece.input) + piece_output.pixels() * bytes_of(whole.output);
    // One band of results is written while the next is made.
    return whole.channels * (needed.pixels() * bytes_of(whole.input) + 2 * band.pixels() * bytes_of(whole.output) +
                             kPiecesInFlight * one);
}

class PiecesPlanner {
public:
    PiecesPlanner(const Problem& whole, const DeviceTraits& traits, const Decisions& decisions,
                  std::uint64_t host_limit)
        : whole_(whole), traits_(traits), decisions_(decisions), host_limit_(host_limit), output_(output_extent(whole))
    {
    }

    /// Making a plan takes milliseconds, and there are hundreds of ways to cut. Estimates sort them, and the first
    /// whose plan fits is used.
    Pieces best()
    {
        std::vector<Extent> refused;
        std::string reason;
        for (const Extent size : candidates()) {
            const auto holds = [size](Extent other) {
                return size.width >= other.width && size.height >= other.height;
            };
            if (std::any_of(refused.begin(), refused.end(), holds)) continue;
            try {
                return {whole_,
                        make_plan(piece_problem(whole_, size), traits_, decisions_),
                        {output_.width, size.width},
                        {output_.height, size.height}};
            } catch (const TooLarge& error) {
                refused.push_back(size);
                reason = error.what();
            }
        }
        throw TooLarge(fmt::format("{} fits neither in one piece nor cut into pieces of {}: {}", token(whole_),
                                   to_string(min_extent()), reason));
    }

private:
    [[nodiscard]] Extent min_extent() const
    {
        return {min_size(output_.width, whole_.psf.width), min_size(output_.height, whole_.psf.height)};
    }

    [[nodiscard]] std::uint64_t host_bytes_of(Extent size) const
    {
        return host_bytes(whole_, piece_problem(whole_, size), size, output_.width);
    }

    /// Sizes of pieces that should fit, the cheapest first; then those beyond the host's limit, the smallest first.
    [[nodiscard]] std::vector<Extent> candidates() const
    {
        struct Ranked {
            Extent size;
            std::uint64_t excess;  ///< bytes beyond the host's limit
            double cost;
        };
        std::vector<Ranked> found;
        const Extent minimum = min_extent();
        for (const int width : sizes_of(output_.width, whole_.psf.width))
            for (const int height : sizes_of(output_.height, whole_.psf.height)) {
                const Extent size{width, height};
                const std::uint64_t held = host_bytes_of(size);
                if (size == minimum || may_fit(size))
                    found.push_back({size, held > host_limit_ ? held - host_limit_ : 0, cost(size)});
            }
        std::stable_sort(found.begin(), found.end(), [](const Ranked& a, const Ranked& b) {
            return std::pair(a.excess, a.cost) < std::pair(b.excess, b.cost);
        });
        std::vector<Extent> sizes;
        for (const Ranked& candidate : found) sizes.push_back(candidate.size);
        return sizes;
    }

    [[nodiscard]] double cost(Extent size) const
    {
        const double samples = static_cast<double>(piece_problem(whole_, size).image.pixels()) * whole_.channels;
        const double pieces = std::ceil(static_cast<double>(output_.width) / size.width) *
                              std::ceil(static_cast<double>(output_.height) / size.height);
        return (samples + kPieceOverhead) * pieces;
    }

    /// Whether spectra without any padding fit, one channel at a time.
    [[nodiscard]] bool may_fit(Extent size) const
    {
        const Problem piece = piece_problem(whole_, size);
        const std::uint64_t samples =
            whole_.channels * (piece.image.pixels() * bytes_of(piece.input) + size.pixels() * bytes_of(piece.output));
        if (decisions_.method == Method::direct) return samples <= traits_.global_memory;
        const std::uint64_t spectra = piece.image.pixels() / 2 * stored_complex_bytes(whole_.precision);
        const std::uint64_t transfer = spectra * whole_.psf_channels;
        return std::max(spectra, transfer) <= traits_.max_allocation &&
               samples + spectra + transfer <= traits_.global_memory;
    }

    const Problem& whole_;
    const DeviceTraits& traits_;
    const Decisions& decisions_;
    const std::uint64_t host_limit_;
    const Extent output_;
};

}  // namespace

std::uint64_t Pieces::host_bytes() const { return clconv::host_bytes(whole, plan.problem, plan.output, columns.total); }

Pieces plan_pieces(const Problem& whole, const DeviceTraits& traits, const Decisions& decisions,
                   std::uint64_t host_limit)
{
    check(whole);
    if (whole.support == KernelSupport::infinite)
        throw TooLarge(
            fmt::format("an image of {} does not fit the device, and a kernel that reaches everywhere cannot "
                        "work on pieces; use --device-memory, another device, or smaller images",
                        to_string(whole.image)));
    return PiecesPlanner(whole, traits, decisions, host_limit).best();
}

Problem piece_problem(const Problem& whole, Extent output)
{
    Problem piece = whole;
    piece.image = {output.width + whole.psf.width - 1, output.height + whole.psf.height - 1};
    piece.mode = Mode::valid;
    const BorderMode& border = mode_of(whole.border);
    piece.border = border.divides_by_coverage ? whole.border : Border::zero;
    if (border.has_gaps()) {
        if (piece.input != SampleType::float64) piece.input = SampleType::float32;
        piece.decode_srgb = false;  // done where they are gathered
    }
    return piece;
}

std::vector<int> piece_sources(const AxisProblem& whole, int first, int size)
{
    const int start = first_output(whole) + first - (whole.psf - 1 - whole.origin);
    std::vector<int> sources;
    for (int n = start; n < start + size + whole.psf - 1; ++n)
        sources.push_back(source_index(whole.border, n, whole.count).value_or(-1));
    return sources;
}

std::vector<int> band_rows(const Pieces& pieces, int band)
{
    std::vector<int> rows = piece_sources(along_y(pieces.whole), pieces.rows.first(band), pieces.rows.size);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (!rows.empty() && rows.front() < 0) rows.erase(rows.begin());
    return rows;
}

std::string describe(const Pieces& pieces)
{
    return fmt::format("{} -> {} in {} x {} pieces of {}, each\n{}", token(pieces.whole),
                       to_string(Extent{pieces.columns.total, pieces.rows.total}), pieces.columns.count(),
                       pieces.rows.count(), to_string(pieces.plan.output), describe(pieces.plan));
}

}  // namespace clconv
