// SPDX-License-Identifier: Apache-2.0
#include "plan/variants.h"

#include <fmt/format.h>

namespace clconv {
namespace {

bool unfit(const DecisionRow& row, const Decisions& decisions, Unfit lines)
{
    const auto value = row.get(decisions);
    const bool is_meant = row.unfit == lines || row.unfit == Unfit::owned_and_global;
    return value && is_meant && *value != row.fit_value;
}

std::vector<std::string> decided_and_unfit(const Decisions& decisions, Unfit lines)
{
    std::vector<std::string> list;
    for (const DecisionRow& row : decision_rows())
        if (unfit(row, decisions, lines)) list.push_back(fmt::format("{}={}", row.name, *row.get(decisions)));
    return list;
}

bool is_shared(const FftPlan& plan, SharedProgram program)
{
    const LinePlan& lines = program == SharedProgram::rows ? plan.rows : plan.columns;
    return lines.residence == Residence::local && !plan.by_lanes();
}

}  // namespace

void choose_variants(FftPlan& plan, const Decisions& decisions)
{
    for (const DecisionRow& row : decision_rows())
        if (row.variant) row.variant->choose(plan, is_shared(plan, row.variant->program) ? decisions : Decisions{});
}

std::string variant_defines(const FftPlan& plan, SharedProgram program)
{
    std::string text;
    for (const DecisionRow& row : decision_rows())
        if (row.variant && row.variant->program == program)
            text += fmt::format("#define {} {}\n", row.variant->define, row.variant->number(plan));
    return text;
}

std::string variant_words(const FftPlan& plan, SharedProgram program)
{
    std::string words;
    for (const DecisionRow& row : decision_rows())
        if (row.variant && row.variant->program == program && row.variant->number(plan) != 0)
            words += fmt::format("-{}", row.variant->name(plan));
    return words;
}

std::string variant_text(const FftPlan& plan)
{
    std::string text;
    for (const DecisionRow& row : decision_rows()) {
        if (!row.variant || row.variant->number(plan) == 0) continue;
        const std::string key_value = fmt::format("{}={}", row.name, row.variant->name(plan));
        const std::string_view words = row.variant->words.value_or(key_value);
        if (!words.empty()) text += fmt::format(", {}", words);
    }
    return text;
}

std::vector<std::string> unfit_for_owned_lines(const Decisions& decisions)
{
    return decided_and_unfit(decisions, Unfit::owned);
}

std::vector<std::string> unfit_for_global_lines(const Decisions& decisions)
{
    return decided_and_unfit(decisions, Unfit::global);
}

}  // namespace clconv
