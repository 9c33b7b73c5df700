// SPDX-License-Identifier: Apache-2.0
#include "plan/gpu_lines.h"

#include "fft/factorize.h"
#include "fft/radix.h"
#include "plan/gpu_cost.h"

#include <algorithm>
#include <utility>

namespace clconv {

namespace {

constexpr int kMaxStages = 4;

}  // namespace

std::vector<std::vector<int>> descending_sequences(const std::vector<int>& radices, int minimum, int maximum)
{
    std::vector<std::vector<int>> found;
    std::vector<int> sequence;
    const auto extend = [&](const auto& self, int length) -> void {
        if (length >= minimum) found.push_back(sequence);
        if (sequence.size() == kMaxStages) return;
        for (const int radix : radices) {
            if (!sequence.empty() && radix > sequence.back()) continue;
            if (static_cast<long long>(length) * radix > maximum) continue;
            sequence.push_back(radix);
            self(self, length * radix);
            sequence.pop_back();
        }
    };
    extend(extend, 1);
    return found;
}

std::vector<int> straight_radices(int largest)
{
    std::vector<int> radices;
    for (const Radix& radix : supported_radices())
        if (radix.butterfly != Butterfly::generic && radix.size <= largest) radices.push_back(radix.size);
    return radices;
}

std::vector<std::vector<int>> sequences_of(const AxisProblem& axis, const RadixRequest& request,
                                           const Decisions& requested)
{
    if (!request.sequence.empty()) return {request.sequence};
    const int largest = request.largest.value_or(largest_automatic(requested));
    const std::vector<int> radices = straight_radices(largest);
    const int minimum = std::max(2, padded_axis(axis).length);
    std::vector<std::vector<int>> found = descending_sequences(radices, minimum, minimum + minimum / 8 + 16);
    if (const auto circular = circular_axis(axis); circular && circular->length > 1)
        for (auto& sequence : descending_sequences(radices, circular->length, circular->length))
            found.push_back(std::move(sequence));
    if (request.largest) std::erase_if(found, [&](const std::vector<int>& s) { return s.front() != largest; });
    if (requested.radix_order == RadixOrder::ascending)
        for (auto& ascending : found) std::reverse(ascending.begin(), ascending.end());
    return found;
}

bool admits(const Decisions& requested, bool columns, const std::vector<int>& radices)
{
    const RadixRequest& request = columns ? requested.radix_y : requested.radix_x;
    if (!request.sequence.empty()) return radices == request.sequence;
    if (request.largest && *std::max_element(radices.begin(), radices.end()) != *request.largest) return false;
    if (requested.radix_order == RadixOrder::ascending) return std::is_sorted(radices.begin(), radices.end());
    return !requested.radix_order || std::is_sorted(radices.rbegin(), radices.rend());
}

std::map<int, double> gpu_line_costs(bool columns, int longest, Precision precision)
{
    std::map<int, double> costs;
    GpuPass pass;
    pass.columns = columns;
    pass.stored_bytes = static_cast<int>(stored_complex_bytes(precision));
    pass.lines_in_all = 1;
    for (const auto& radices : descending_sequences(straight_radices(largest_automatic({})), 2, longest)) {
        const int length = line_length(radices);
        pass.radices = radices;
        pass.line_bytes = 2.0 * length * (columns ? pass.stored_bytes : 4);
        const double ns = gpu_line_ns(pass);
        const auto [known, is_new] = costs.emplace(length, ns);
        if (!is_new) known->second = std::min(known->second, ns);
    }
    return costs;
}

}  // namespace clconv
