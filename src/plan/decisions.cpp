#include "plan/decisions.h"

#include "base/errors.h"
#include "plan/decision_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace clconv {
namespace {

using namespace values;

template <class T>
bool is_decided(const std::optional<T>& decision)
{
    return decision.has_value();
}
bool is_decided(const std::vector<int>& decision) { return !decision.empty(); }

template <class T>
const T& value_of(const std::optional<T>& decision)
{
    return *decision;
}
const std::vector<int>& value_of(const std::vector<int>& decision) { return decision; }

struct Key {
    std::string_view name;
    std::vector<std::string> (*listed)();  ///< values with names
    std::string_view other;                ///< other values, "N" or "R"; empty if there are none
    std::string_view meaning;
    int most;                                                     ///< the largest N; 0 if there is no N
    bool (*set)(Decisions&, std::string_view value);              ///< false: no such value
    std::optional<std::string> (*get)(const Decisions& decided);  ///< none: left to the planner
};

template <class Value>
std::vector<std::string> listed_of()
{
    if constexpr (requires { Value::listed(); }) return Value::listed();
    return {};
}

template <class Value>
constexpr std::string_view other_of()
{
    if constexpr (requires { Value::kOther; }) return Value::kOther;
    return {};
}

template <class Value>
constexpr int most_of()
{
    if constexpr (requires { Value::kMost; }) return Value::kMost;
    return 0;
}

/// The key `name` of the decision that `field` finds, a value of a kind above.
template <class Value, class Field>
constexpr Key key(std::string_view name, std::string_view meaning, Field /*field*/)
{
    return {name,
            listed_of<Value>,
            other_of<Value>(),
            meaning,
            most_of<Value>(),
            [](Decisions& decisions, std::string_view text) {
                auto value = Value::read(text);
                if (!is_decided(value)) return false;
                Field{}(decisions) = std::move(value);
                return true;
            },
            [](const Decisions& decisions) -> std::optional<std::string> {
                if (!is_decided(Field{}(decisions))) return std::nullopt;
                return Value::write(value_of(Field{}(decisions)));
            }};
}

constexpr std::array kKeys = {
    key<OneOf<Method>>(
        "method", "how the convolution is computed", [](auto& d) -> auto& { return d.method; }),
    key<OneOf<Residence>>(
        "residence", "where lines live while they are transformed: a work-group, or global memory",
        [](auto& d) -> auto& { return d.residence; }),
    key<Lanes>(
        "lanes", "8: a work-item owns eight whole lines (CPUs); 1: work-items share lines",
        [](auto& d) -> auto& { return d.lanes; }),
    key<Radices>(
        "row-radices", "stages of the rows", [](auto& d) -> auto& { return d.radix_x.sequence; }),
    key<OneRadix>(
        "row-largest", "the largest radix of the rows", [](auto& d) -> auto& { return d.radix_x.largest; }),
    key<Count>(
        "row-lines", "pairs of rows a work-group", [](auto& d) -> auto& { return d.rows.lines; }),
    key<Count>(
        "row-items", "work-items a pair of rows", [](auto& d) -> auto& { return d.rows.items; }),
    key<OneOf<ExchangeForm>>(
        "row-exchange", "how the rows' values are exchanged in local memory between two stages",
        [](auto& d) -> auto& { return d.rows.exchange; }),
    key<Count>(
        "row-registers", "at most so many a work-item (NVIDIA)", [](auto& d) -> auto& { return d.rows.registers; }),
    key<Radices>(
        "back-radices", "stages of the rows back", [](auto& d) -> auto& { return d.radix_back; }),
    key<Count>(
        "back-items", "work-items a pair of rows on the way back", [](auto& d) -> auto& { return d.rows_back.items; }),
    key<OneOf<ExchangeForm>>(
        "back-exchange", "the exchange of the rows back", [](auto& d) -> auto& { return d.rows_back.exchange; }),
    key<Count>(
        "back-registers", "at most so many a work-item on the way back (NVIDIA)",
        [](auto& d) -> auto& { return d.rows_back.registers; }),
    key<Radices>(
        "column-radices", "stages of the columns", [](auto& d) -> auto& { return d.radix_y.sequence; }),
    key<OneRadix>(
        "column-largest", "the largest radix of the columns", [](auto& d) -> auto& { return d.radix_y.largest; }),
    key<Count>(
        "column-lines", "columns a work-group", [](auto& d) -> auto& { return d.columns.lines; }),
    key<Count>(
        "column-items", "work-items a column", [](auto& d) -> auto& { return d.columns.items; }),
    key<OneOf<ExchangeForm>>(
        "column-exchange", "the exchange of the columns", [](auto& d) -> auto& { return d.columns.exchange; }),
    key<Count>(
        "column-registers", "at most so many a work-item (NVIDIA)",
        [](auto& d) -> auto& { return d.columns.registers; }),
    key<Count>(
        "tile-columns", "columns that are side by side between the passes",
        [](auto& d) -> auto& { return d.tile_columns; }),
    key<OneOf<RadixOrder>>(
        "radix-order", "order of the stages that are chosen automatically",
        [](auto& d) -> auto& { return d.radix_order; }),
    key<OnePadding>(
        "padding", "unused cells after each block of an exchange: as the banks of local memory need, none, or N",
        [](auto& d) -> auto& { return d.padding; }),
    key<OneOf<Butterflies>>(
        "butterflies", "composite radices as nested butterflies, or as the plain sum",
        [](auto& d) -> auto& { return d.butterflies; }),
    key<OneOf<Passes>>(
        "passes", "columns, product and columns back in one launch, or in three",
        [](auto& d) -> auto& { return d.passes; }),
    key<OneOf<Packing>>(
        "packing", "what the row pass packs into one complex line: two rows of a channel, or one row of two channels",
        [](auto& d) -> auto& { return d.packing; }),
    key<OneOf<LineOrder>>(
        "order", "order of the columns' spectra: sorted, or digit-reversed as from stages in place",
        [](auto& d) -> auto& { return d.order; }),
    key<Tile>(
        "tile", "the tile of the tiled method", [](auto& d) -> auto& { return d.tile; }),
    key<Count>(
        "tile-items", "work-items that share a tile", [](auto& d) -> auto& { return d.tile_items; }),
    key<OneOf<Programs>>(
        "programs", "programs for every size, or special to this size; the results are the same",
        [](auto& d) -> auto& { return d.programs; }),
};

/// "direct|tiled|fft", "banks|none|N".
std::string values_text(const Key& key)
{
    std::vector<std::string> values = key.listed();
    if (!key.other.empty()) values.emplace_back(key.other);
    return fmt::format("{}", fmt::join(values, "|"));
}

}  // namespace

int largest_automatic(const Decisions& decisions) { return decisions.butterflies == Butterflies::direct ? 16 : 32; }

void decide(Decisions& decisions, std::string_view key_value)
{
    const std::size_t equals = key_value.find('=');
    const std::string_view name = key_value.substr(0, equals);
    for (const Key& key : kKeys) {
        if (key.name != name) continue;
        if (equals != std::string_view::npos && key.set(decisions, key_value.substr(equals + 1))) return;
        throw InvalidProblem(fmt::format("--decide {}: write {}={}{}", key_value, key.name, values_text(key),
                                         key.most > 0 ? fmt::format(", N from 1 to {}", key.most) : ""));
    }
    throw InvalidProblem(
        fmt::format("--decide {}: no such decision; known are {}", key_value, fmt::join(decision_keys(), ", ")));
}

std::vector<std::string> decided(const Decisions& decisions)
{
    std::vector<std::string> list;
    for (const Key& key : kKeys)
        if (const auto value = key.get(decisions)) list.push_back(fmt::format("{}={}", key.name, *value));
    return list;
}

bool shapes_are_decided(const Decisions& decisions)
{
    Decisions others = decisions;
    others.method.reset();
    others.programs.reset();
    return !decided(others).empty();
}

std::vector<ExplainedDecision> explained(const Decisions& decisions)
{
    std::vector<ExplainedDecision> list;
    for (const Key& key : kKeys)
        list.push_back({key.name, values_text(key), key.meaning, key.get(decisions).value_or("")});
    return list;
}

std::vector<std::string> decision_keys()
{
    std::vector<std::string> keys;
    for (const Key& key : kKeys) keys.push_back(fmt::format("{}={}", key.name, values_text(key)));
    return keys;
}

std::vector<std::string_view> decision_names()
{
    std::vector<std::string_view> names;
    for (const Key& key : kKeys) names.push_back(key.name);
    return names;
}

std::vector<std::string> listed_values(std::string_view name)
{
    const auto* const found = std::ranges::find(kKeys, name, &Key::name);
    return found == kKeys.end() ? std::vector<std::string>() : found->listed();
}

}  // namespace clconv
