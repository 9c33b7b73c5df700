// SPDX-License-Identifier: Apache-2.0
#include "conv/direct_reference.h"

#include <cmath>

namespace clconv {
namespace {

/// Coordinates of the first output sample, by the definition of each mode.
Position first_position(const Problem& p)
{
    switch (p.mode) {
        case Mode::same: return {0, 0};
        case Mode::full: return {-p.origin.x, -p.origin.y};
        case Mode::valid: return {p.psf.width - 1 - p.origin.x, p.psf.height - 1 - p.origin.y};
    }
    return {};
}

struct Sum {
    double weighted = 0;
    double covered = 0;    ///< of the PSF's samples that met the image
    double magnitude = 0;  ///< of all its samples
};

}  // namespace

std::vector<double> direct_reference(const Problem& p, std::span<const double> image, std::span<const double> psf,
                                     std::span<const double> border_value)
{
    const Extent output = output_extent(p);
    const Position first = first_position(p);
    std::vector<double> result;
    result.reserve(output.pixels() * static_cast<std::size_t>(p.channels));
    for (int y = first.y; y < first.y + output.height; ++y)
        for (int x = first.x; x < first.x + output.width; ++x)
            for (int c = 0; c < p.channels; ++c) {
                const std::span<const double> weights =
                    psf.subspan(c % p.psf_channels * p.psf.pixels(), p.psf.pixels());
                Sum sum;
                for (int j = 0; j < p.psf.height; ++j)
                    for (int i = 0; i < p.psf.width; ++i) {
                        const double k = weights[static_cast<std::size_t>(j) * p.psf.width + i];
                        const auto sy = source_index(p.border, y - (j - p.origin.y), p.image.height);
                        const auto sx = source_index(p.border, x - (i - p.origin.x), p.image.width);
                        sum.magnitude += std::abs(k);
                        if (sy && sx) {
                            const std::size_t pixel = static_cast<std::size_t>(*sy) * p.image.width + *sx;
                            sum.weighted += k * image[pixel * p.channels + c];
                            sum.covered += k;
                        } else if (mode_of(p.border).has_own_value()) {
                            sum.weighted += k * border_value[c];
                        }
                    }
                if (mode_of(p.border).divides_by_coverage)
                    sum.weighted = std::abs(sum.covered) > 1e-6 * sum.magnitude ? sum.weighted / sum.covered : 0;
                result.push_back(sum.weighted);
            }
    return result;
}

}  // namespace clconv
