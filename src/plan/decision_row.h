// SPDX-License-Identifier: Apache-2.0
// Makes the rows of the table of decisions: row() and variant(). Only decision_table.cpp includes it.
#pragma once

#include "plan/decision_table.h"
#include "plan/decision_values.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace clconv::table {

template <class T>
bool is_decided(const std::optional<T>& decision)
{
    return decision.has_value();
}
inline bool is_decided(const std::vector<int>& decision) { return !decision.empty(); }

template <class T>
const T& value_of(const std::optional<T>& decision)
{
    return *decision;
}
inline const std::vector<int>& value_of(const std::vector<int>& decision) { return decision; }

template <class Values>
std::vector<std::string> listed_of()
{
    if constexpr (requires { Values::listed(); }) return Values::listed();
    return {};
}

template <class Values>
constexpr std::string_view other_of()
{
    if constexpr (requires { Values::kOther; }) return Values::kOther;
    return {};
}

template <class Values>
constexpr int max_of()
{
    if constexpr (requires { Values::kMax; }) return Values::kMax;
    return 0;
}

/// The row of a decision whose values are of a kind of decision_values.h.
/// `Field` returns the field of Decisions. `Of` returns the field's value in a plan, or in the plan of one method; for
/// plans of other methods the decision stays open. Both are functions without captures.
template <class Values, class Field, class Of>
constexpr DecisionRow row(std::string_view name, std::string_view meaning, Field /*field*/, Of /*of*/)
{
    static_assert(std::is_invocable_v<Of, const Plan&> || std::is_invocable_v<Of, const FftPlan&> ||
                      std::is_invocable_v<Of, const TilePlan&> || std::is_invocable_v<Of, const DirectPlan&>,
                  "Of must take a Plan, or the plan of one method");
    return {.name = name,
            .meaning = meaning,
            .listed = listed_of<Values>,
            .other = other_of<Values>(),
            .maximum = max_of<Values>(),
            .set =
                [](Decisions& decisions, std::string_view text) {
                    auto value = Values::read(text);
                    if (!is_decided(value)) return false;
                    Field{}(decisions) = std::move(value);
                    return true;
                },
            .get = [](const Decisions& decisions) -> std::optional<std::string> {
                if (!is_decided(Field{}(decisions))) return std::nullopt;
                return Values::write(value_of(Field{}(decisions)));
            },
            .take =
                [](Decisions& decisions, const Plan& plan) {
                    if constexpr (std::is_invocable_v<Of, const Plan&>)
                        Field{}(decisions) = Of{}(plan);
                    else
                        std::visit(
                            [&]<class How>(const How& how) {
                                if constexpr (std::is_invocable_v<Of, const How&>) Field{}(decisions) = Of{}(how);
                            },
                            plan.how);
                }};
}

/// The define of a variant, and the program that has it.
struct DefineOf {
    SharedProgram program;
    std::string_view name;
};

/// The row of a decision that is one of Variants. `Field` takes Decisions, and the plan too.
template <HasNames Value, class Field, class Of>
constexpr DecisionRow variant(std::string_view name, std::string_view meaning, Field field, Of of, DefineOf define)
{
    DecisionRow result =
        row<OneOf<Value>>(name, meaning, field, of).unfit_for(Unfit::owned_and_global, name_of(Value{}));
    result.variant = VariantRow{
        .program = define.program,
        .define = define.name,
        .choose = [](FftPlan& plan,
                     const Decisions& decisions) { Field{}(plan) = Field{}(decisions).value_or(Value{}); },
        .number = [](const FftPlan& plan) { return static_cast<int>(Field{}(plan)); },
        .name = [](const FftPlan& plan) { return name_of(Field{}(plan)); },
    };
    return result;
}

}  // namespace clconv::table
