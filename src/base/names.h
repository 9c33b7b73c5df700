// SPDX-License-Identifier: Apache-2.0
// The names of an enumeration's values: one table for each enumeration, right behind it.
//
//     enum class Mode { same, full, valid };
//     template <>
//     inline constexpr auto kNames<Mode> =
//         std::to_array<Named<Mode>>({{"same", Mode::same}, {"full", Mode::full}, {"valid", Mode::valid}});
//
// Options, messages, reports and tests all read it: name_of(), value_named(), all_values(), names_text(). The table has
// the values in the order of the enumeration. A missing value is a compile-time error.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace clconv {

template <class Value>
struct Named {
    std::string_view name;
    Value value;
};

/// Empty if the enumeration has no names.
template <class Value>
inline constexpr std::array<Named<Value>, 0> kNames{};

/// Whether an enumeration has an enumerator of this value. C++20 cannot list enumerators, but compilers write template
/// arguments into __PRETTY_FUNCTION__: the name of an enumerator ("value = clconv::Mode::same"), or a cast for a value
/// without one ("value = (clconv::Mode)3"). tests/base/names_test.cpp shows that both supported compilers do.
template <auto value>
[[nodiscard]] consteval bool is_enumerator()
{
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::string_view before = "value = ";
    return text[text.rfind(before) + before.size()] != '(';
}

/// Whether a table, whose rows have a `value`, has all enumerators 0, 1, 2, ... in order.
template <class Row, std::size_t count>
[[nodiscard]] consteval bool is_complete(const std::array<Row, count>& table)
{
    using Value = decltype(Row::value);
    for (std::size_t i = 0; i < count; ++i)
        if (table[i].value != static_cast<Value>(i)) return false;
    return !is_enumerator<static_cast<Value>(count)>();
}

template <class Value>
concept HasNames = kNames<Value>
.size() > 0;

template <HasNames Value>
[[nodiscard]] constexpr std::string_view name_of(Value value)
{
    static_assert(is_complete(kNames<Value>), "a value without a name, or one out of order");
    return kNames<Value>[static_cast<std::size_t>(value)].name;
}

/// The value of that name, if there is one.
template <HasNames Value>
[[nodiscard]] constexpr std::optional<Value> value_named(std::string_view name)
{
    for (const Named<Value>& known : kNames<Value>)
        if (known.name == name) return known.value;
    return std::nullopt;
}

/// The names of a table whose rows have a `name` and a `value`, besides other fields.
template <class Row, std::size_t count>
[[nodiscard]] consteval auto names_of(const std::array<Row, count>& table)
{
    std::array<Named<decltype(Row::value)>, count> names{};
    for (std::size_t i = 0; i < count; ++i) names[i] = {table[i].name, table[i].value};
    return names;
}

/// All values, in the order of the enumeration.
template <HasNames Value>
[[nodiscard]] constexpr auto all_values()
{
    std::array<Value, kNames<Value>.size()> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = kNames<Value>[i].value;
    return values;
}

/// "same, full or valid", for help and messages.
template <HasNames Value>
[[nodiscard]] std::string names_text()
{
    std::string text;
    for (std::size_t i = 0; i < kNames<Value>.size(); ++i) {
        if (i > 0) text += i + 1 < kNames<Value>.size() ? ", " : " or ";
        text += kNames<Value>[i].name;
    }
    return text;
}

}  // namespace clconv
