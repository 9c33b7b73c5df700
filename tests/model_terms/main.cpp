// SPDX-License-Identifier: Apache-2.0
// Prints the planner's model of measured passes of GPUs, term by term, for bench/fit-passes.
//
//   model_terms FILE       such as data/tuning/nvidia-h100.json: what clconv tune --export writes
//
// A JSON object a line, for each number of lines of a pass: what was measured, the sum of the model, and its terms,
// each a constant and the nanoseconds for a constant of 1.

#include "fft/factorize.h"
#include "plan/pass_costs.h"
#include "plan_records/pass_set.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

using namespace clconv;

void print(const PassRecord& record, const DeviceTraits& traits)
{
    const LinePass& pass = record.pass;
    for (const PassPoint& point : record.points) {
        const PassLoad load{pass, point.lines, record.filled};
        nlohmann::ordered_json terms;
        for (const GpuCostTerm& term : model_terms(load, traits)) {
            const double before = terms.contains(term.name) ? terms[term.name][1].get<double>() : 0;
            terms[term.name] = {term.constant, before + term.factor};  // a radix may come twice
        }
        if (terms.empty()) continue;
        const nlohmann::ordered_json json{
            {"kind", name_of(pass.kind)},
            {"samples", fmt::format("{} {}", name_of(pass.samples), name_of(pass.layout))},
            {"form", {pass.bundle_columns, pass.rows_together}},
            {"length", line_length(pass.radices)},
            {"shape", fmt::format("{}, {} items x {} x {} channels, {}", to_string(pass), pass.items, pass.lines,
                                  pass.channels, name_of(pass.exchange))},
            {"lines", point.lines},
            {"ns", point.ns},
            {"model_ns", model_ns(load, traits)},
            {"terms", terms}};
        fmt::print("{}\n", json.dump());
    }
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 2) {
        fmt::print(stderr, "usage: model_terms FILE\n");
        return 2;
    }
    std::ifstream in(arguments[1], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::vector<PassSet> sets = parse_exported_passes(text);
    if (sets.empty()) {
        fmt::print(stderr, "model_terms: {} has no passes\n", arguments[1]);
        return 1;
    }
    DeviceTraits traits;
    traits.max_work_group = 1024;  // of every GPU that has records
    for (const PassRecord& record : sets.front().passes) print(record, traits);
    return 0;
}
