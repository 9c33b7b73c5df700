// SPDX-License-Identifier: Apache-2.0
#include "psf/support.h"

#include <algorithm>
#include <cmath>

namespace clconv {
namespace {

void sort_by_length(std::vector<SupportRun>& runs)
{
    std::ranges::stable_sort(runs, [](const SupportRun& a, const SupportRun& b) { return a.length() > b.length(); });
}

ChannelSupport channel_support(const Psf& psf, int channel)
{
    ChannelSupport support;
    const auto [width, height] = psf.extent;
    support.row_energies.resize(static_cast<std::size_t>(height));
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const double weight = psf.at(i, j, channel);
            if (weight == 0) continue;
            (weight < 0 ? support.negative : support.positive) += std::abs(weight);
            const int row = height - 1 - j, column = width - 1 - i;
            support.row_energies[static_cast<std::size_t>(row)] += weight * weight;
            std::vector<SupportRun>& runs = support.runs;
            if (!runs.empty() && runs.back().row == row && runs.back().first == column + 1)
                runs.back().first = column;
            else
                runs.push_back({row, column, column});
        }
    support.is_nonnegative = support.negative == 0;
    sort_by_length(support.runs);
    return support;
}

}  // namespace

PsfSupport support_of(const Psf& psf)
{
    PsfSupport support{psf.extent, {}};
    for (int c = 0; c < psf.channels; ++c) support.channels.push_back(channel_support(psf, c));
    return support;
}

PsfSupport full_support(Extent extent)
{
    ChannelSupport all;
    for (int row = 0; row < extent.height; ++row) all.runs.push_back({row, 0, extent.width - 1});
    return {extent, {std::move(all)}};
}

}  // namespace clconv
