// SPDX-License-Identifier: Apache-2.0
#include "plan/decisions.h"

#include "base/errors.h"
#include "plan/decision_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// "direct|tiled|fft", "banks|none|N".
std::string values_text(const DecisionRow& row)
{
    std::vector<std::string> values = row.listed();
    if (!row.other.empty()) values.emplace_back(row.other);
    return fmt::format("{}", fmt::join(values, "|"));
}

}  // namespace

int largest_automatic(const Decisions& decisions) { return decisions.butterflies == Butterflies::direct ? 16 : 32; }

void decide(Decisions& decisions, std::string_view key_value)
{
    const std::size_t equals = key_value.find('=');
    const std::string_view name = key_value.substr(0, equals);
    for (const DecisionRow& row : decision_rows()) {
        if (row.name != name) continue;
        if (equals != std::string_view::npos && row.set(decisions, key_value.substr(equals + 1))) return;
        throw InvalidProblem(fmt::format("--decide {}: write {}={}{}", key_value, row.name, values_text(row),
                                         row.maximum > 0 ? fmt::format(", N from 1 to {}", row.maximum) : ""));
    }
    throw InvalidProblem(
        fmt::format("--decide {}: no such decision; known are {}", key_value, fmt::join(decision_keys(), ", ")));
}

void decide_once(Decisions& decisions, const std::vector<std::string>& key_values)
{
    for (const std::string& key_value : key_values) {
        const Decisions before = decisions;
        decide(decisions, key_value);
        for (const DecisionRow& row : decision_rows())
            if (const auto value = row.get(before); value && value != row.get(decisions))
                throw InvalidProblem(fmt::format("--decide {}: {}={} is requested, too; leave one of them out",
                                                 key_value, row.name, *value));
    }
}

std::vector<std::string> decided(const Decisions& decisions)
{
    std::vector<std::string> list;
    for (const DecisionRow& row : decision_rows())
        if (const auto value = row.get(decisions)) list.push_back(fmt::format("{}={}", row.name, *value));
    return list;
}

bool shapes_are_decided(const Decisions& decisions)
{
    Decisions others = decisions;
    others.method.reset();
    others.programs.reset();
    return !decided(others).empty();
}

Decisions decisions_of(const Plan& plan)
{
    Decisions decisions;
    for (const DecisionRow& row : decision_rows()) row.take(decisions, plan);
    return decisions;
}

std::vector<ExplainedDecision> explained(const Decisions& decisions)
{
    std::vector<ExplainedDecision> list;
    for (const DecisionRow& row : decision_rows())
        list.push_back({row.name, values_text(row), row.meaning, row.get(decisions).value_or("")});
    return list;
}

std::vector<std::string> decision_keys()
{
    std::vector<std::string> keys;
    for (const DecisionRow& row : decision_rows()) keys.push_back(fmt::format("{}={}", row.name, values_text(row)));
    return keys;
}

std::vector<std::string_view> decision_names()
{
    std::vector<std::string_view> names;
    for (const DecisionRow& row : decision_rows()) names.push_back(row.name);
    return names;
}

std::vector<std::string> listed_values(std::string_view name)
{
    const std::span<const DecisionRow> rows = decision_rows();
    const auto found = std::ranges::find(rows, name, &DecisionRow::name);
    return found == rows.end() ? std::vector<std::string>() : found->listed();
}

}  // namespace clconv
