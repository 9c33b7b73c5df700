// SPDX-License-Identifier: Apache-2.0
#include "plan/padded_line.h"

#include "base/errors.h"
#include "fft/factorize.h"
#include "plan/cost.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

RadixRules rules_for(const RadixRequest& request, const Decisions& decisions, Residence residence)
{
    RadixRules rules;
    rules.largest = request.largest.value_or(largest_automatic(decisions));
    rules.ascending = decisions.radix_order == RadixOrder::ascending;
    rules.must_contain_largest = request.largest.has_value();
    rules.cost = [residence](int radix) { return stage_cost(radix, residence); };
    return rules;
}

PaddedLine line_of_sequence(const Axis& axis, const std::vector<int>& sequence, std::string_view name,
                            Residence residence)
{
    const int length = line_length(sequence);
    if (length < axis.length || length > kMaxLine)
        throw InvalidProblem(fmt::format("--radix-{} {}: the product is {}, and the padded line needs {} to {} samples",
                                         name, fmt::join(sequence, ","), length, axis.length, kMaxLine));
    PaddedLine line{with_length(axis, length), sequence, 0};
    for (const int radix : sequence) line.cost += line.axis.length * stage_cost(radix, residence);
    return line;
}

}  // namespace

PaddedLine padded_line(const AxisProblem& problem, const RadixRequest& request, const Decisions& decisions,
                       std::string_view name, Residence residence)
{
    const Axis padded = padded_axis(problem);
    const auto circular = circular_axis(problem);
    if (!request.sequence.empty()) {
        const bool natural = circular && line_length(request.sequence) == circular->length;
        return line_of_sequence(natural ? *circular : padded, request.sequence, name, residence);
    }

    const RadixRules rules = rules_for(request, decisions, residence);
    const auto good = good_length(std::max(2, padded.length), rules);  // at least one stage
    if (!good)
        throw InvalidProblem(fmt::format("--radix-{} {}: no line of {} or a little more samples has such radices", name,
                                         rules.largest, padded.length));
    PaddedLine line{with_length(padded, good->length), good->factorization.radices,
                    good->length * good->factorization.cost};

    if (circular && circular->length > 1) {
        const auto natural = factorize(circular->length, rules);
        const bool must = problem.support == KernelSupport::infinite;  // the inverse is then exact
        if (natural && (must || circular->length * natural->cost <= line.cost))
            return {*circular, natural->radices, circular->length * natural->cost};
    }
    return line;
}

}  // namespace clconv
