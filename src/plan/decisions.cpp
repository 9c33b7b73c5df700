#include "plan/decisions.h"

#include "base/errors.h"
#include "fft/factorize.h"
#include "fft/radix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace clconv {
namespace {

int parse_one_radix(std::string_view text, std::string_view whole, std::string_view option)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !supported_radix(value))
        throw InvalidProblem(fmt::format("{} {}: '{}' is no supported radix; use auto, or one or more of {}", option,
                                         whole, text, supported_radices_text()));
    return value;
}

/// A whole number from 1 to `most`.
std::optional<int> number_up_to(int most, std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most) return std::nullopt;
    return value;
}

// The kinds of values that decisions have: how they are listed, read and written.

struct OneMethod {
    static constexpr std::string_view kValues = "direct|tiled|fft";
    static std::optional<Method> read(std::string_view text) { return method_named(text); }
    static std::string write(Method method) { return std::string(name_of(method)); }
};

struct OneResidence {
    static constexpr std::string_view kValues = "local|global";
    static std::optional<Residence> read(std::string_view text) { return residence_named(text); }
    static std::string write(Residence residence) { return std::string(name_of(residence)); }
};

struct Lanes {
    static constexpr std::string_view kValues = "1|8";
    static std::optional<int> read(std::string_view text)
    {
        if (text == "1") return 1;
        if (text == "8") return 8;
        return std::nullopt;
    }
    static std::string write(int lanes) { return std::to_string(lanes); }
};

/// Work-items, lines, columns, registers: no device has more of them in a work-group.
struct Count {
    static constexpr std::string_view kValues = "N";
    static constexpr int kMost = kMostCounted;
    static std::optional<int> read(std::string_view text) { return number_up_to(kMost, text); }
    static std::string write(int count) { return std::to_string(count); }
};

struct Tile {
    static constexpr std::string_view kValues = "32x32|32x64|64x32|64x64|96x96|128x128|192x192|256x256|320x320";
    static std::optional<Extent> read(std::string_view text)
    {
        const std::size_t cross = text.find('x');
        if (cross == std::string_view::npos) return std::nullopt;
        const auto width = number_up_to(kMostCounted, text.substr(0, cross));
        const auto height = number_up_to(kMostCounted, text.substr(cross + 1));
        if (!width || !height) return std::nullopt;
        return Extent{*width, *height};
    }
    static std::string write(Extent tile) { return to_string(tile); }
};

struct OneExchange {
    static constexpr std::string_view kValues = "whole|split|ping-pong";
    static std::optional<ExchangeForm> read(std::string_view text) { return exchange_form_named(text); }
    static std::string write(ExchangeForm form) { return std::string(name_of(form)); }
};

struct OneRadixOrder {
    static constexpr std::string_view kValues = "descending|ascending";
    static std::optional<RadixOrder> read(std::string_view text) { return radix_order_named(text); }
    static std::string write(RadixOrder order) { return std::string(name_of(order)); }
};

struct OnePadding {
    static constexpr std::string_view kValues = "banks|none|N";
    static constexpr int kMost = kMostPadding;
    static std::optional<Padding> read(std::string_view text)
    {
        if (text == "banks") return Padding{};
        if (text == "none") return Padding{0};
        const auto cells = number_up_to(kMost, text);
        return cells ? std::optional(Padding{cells}) : std::nullopt;
    }
    static std::string write(const Padding& padding)
    {
        if (!padding.cells) return "banks";
        return *padding.cells == 0 ? "none" : std::to_string(*padding.cells);
    }
};

struct OneButterflies {
    static constexpr std::string_view kValues = "embedded|direct";
    static std::optional<Butterflies> read(std::string_view text) { return butterflies_named(text); }
    static std::string write(Butterflies butterflies) { return std::string(name_of(butterflies)); }
};

struct OneRadix {
    static constexpr std::string_view kValues = "R";
    static std::optional<int> read(std::string_view text) { return parse_one_radix(text, text, "--decide"); }
    static std::string write(int radix) { return std::to_string(radix); }
};

/// "16.16.4", as plans print it. An empty list is no decision.
struct Radices {
    static constexpr std::string_view kValues = "R.R...";
    static std::vector<int> read(std::string_view text)
    {
        std::string list(text);
        std::replace(list.begin(), list.end(), '.', ',');
        RadixRequest request = parse_radix(list, "--decide");
        if (request.largest) request.sequence = {*request.largest};
        return request.sequence;
    }
    static std::string write(const std::vector<int>& radices) { return fmt::format("{}", fmt::join(radices, ".")); }
};

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

struct OnePasses {
    static constexpr std::string_view kValues = "fused|separate";
    static std::optional<Passes> read(std::string_view text) { return passes_named(text); }
    static std::string write(Passes passes) { return std::string(name_of(passes)); }
};

struct OnePacking {
    static constexpr std::string_view kValues = "rows|channels";
    static std::optional<Packing> read(std::string_view text) { return packing_named(text); }
    static std::string write(Packing packing) { return std::string(name_of(packing)); }
};

struct OneOrder {
    static constexpr std::string_view kValues = "autosort|dif-dit";
    static std::optional<LineOrder> read(std::string_view text) { return line_order_named(text); }
    static std::string write(LineOrder order) { return std::string(name_of(order)); }
};

struct OnePrograms {
    static constexpr std::string_view kValues = "general|special";
    static std::optional<Programs> read(std::string_view text) { return programs_named(text); }
    static std::string write(Programs programs) { return std::string(name_of(programs)); }
};

struct Key {
    std::string_view name;
    std::string_view values;
    std::string_view meaning;
    int most;                                                     ///< the largest N; 0 if there is no N
    bool (*set)(Decisions&, std::string_view value);              ///< false: no such value
    std::optional<std::string> (*get)(const Decisions& decided);  ///< none: left to the planner
};

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
            Value::kValues,
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
    key<OneMethod>(
        "method", "how the convolution is computed", [](auto& d) -> auto& { return d.method; }),
    key<OneResidence>(
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
    key<OneExchange>(
        "row-exchange", "how the rows' values change hands in local memory between two stages",
        [](auto& d) -> auto& { return d.rows.exchange; }),
    key<Count>(
        "row-registers", "at most so many a work-item (NVIDIA)", [](auto& d) -> auto& { return d.rows.registers; }),
    key<Radices>(
        "back-radices", "stages of the rows back", [](auto& d) -> auto& { return d.radix_back; }),
    key<Count>(
        "back-items", "work-items a pair of rows on the way back", [](auto& d) -> auto& { return d.rows_back.items; }),
    key<OneExchange>(
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
    key<OneExchange>(
        "column-exchange", "the exchange of the columns", [](auto& d) -> auto& { return d.columns.exchange; }),
    key<Count>(
        "column-registers", "at most so many a work-item (NVIDIA)",
        [](auto& d) -> auto& { return d.columns.registers; }),
    key<Count>(
        "tile-columns", "columns that lie side by side between the passes",
        [](auto& d) -> auto& { return d.tile_columns; }),
    key<OneRadixOrder>(
        "radix-order", "order of the stages that are chosen automatically",
        [](auto& d) -> auto& { return d.radix_order; }),
    key<OnePadding>(
        "padding", "unused cells after each block of an exchange: as the banks of local memory want, none, or N",
        [](auto& d) -> auto& { return d.padding; }),
    key<OneButterflies>(
        "butterflies", "composite radices as butterflies within each other, or as the plain sum",
        [](auto& d) -> auto& { return d.butterflies; }),
    key<OnePasses>(
        "passes", "columns, product and columns back in one launch, or in three",
        [](auto& d) -> auto& { return d.passes; }),
    key<OnePacking>(
        "packing", "what the row pass takes as one complex line: two rows of a channel, or one row of two channels",
        [](auto& d) -> auto& { return d.packing; }),
    key<OneOrder>(
        "order", "of the columns' spectra: sorted, or digit-reversed, as stages in place leave and take them",
        [](auto& d) -> auto& { return d.order; }),
    key<Tile>(
        "tile", "the tile of the tiled method", [](auto& d) -> auto& { return d.tile; }),
    key<Count>(
        "tile-items", "work-items that share a tile", [](auto& d) -> auto& { return d.tile_items; }),
    key<OnePrograms>(
        "programs", "for every size, or made for the one at hand; the same results",
        [](auto& d) -> auto& { return d.programs; }),
};

}  // namespace

std::optional<Method> method_named(std::string_view name)
{
    for (const Method method : {Method::direct, Method::tiled, Method::fft})
        if (name_of(method) == name) return method;
    return std::nullopt;
}

std::string_view name_of(Method method)
{
    switch (method) {
        case Method::direct: return "direct";
        case Method::tiled: return "tiled";
        case Method::fft: return "fft";
    }
    return "?";
}

std::optional<Residence> residence_named(std::string_view name)
{
    for (const Residence residence : {Residence::local, Residence::global})
        if (name_of(residence) == name) return residence;
    return std::nullopt;
}

std::string_view name_of(Residence residence) { return residence == Residence::local ? "local" : "global"; }

std::optional<Passes> passes_named(std::string_view name)
{
    for (const Passes passes : {Passes::fused, Passes::separate})
        if (name_of(passes) == name) return passes;
    return std::nullopt;
}

std::string_view name_of(Passes passes) { return passes == Passes::fused ? "fused" : "separate"; }

std::optional<Programs> programs_named(std::string_view name)
{
    for (const Programs programs : {Programs::general, Programs::special})
        if (name_of(programs) == name) return programs;
    return std::nullopt;
}

std::string_view name_of(Programs programs) { return programs == Programs::general ? "general" : "special"; }

std::optional<Packing> packing_named(std::string_view name)
{
    for (const Packing packing : {Packing::rows, Packing::channels})
        if (name_of(packing) == name) return packing;
    return std::nullopt;
}

std::string_view name_of(Packing packing) { return packing == Packing::rows ? "rows" : "channels"; }

std::optional<RadixOrder> radix_order_named(std::string_view name)
{
    for (const RadixOrder order : {RadixOrder::descending, RadixOrder::ascending})
        if (name_of(order) == name) return order;
    return std::nullopt;
}

std::string_view name_of(RadixOrder order) { return order == RadixOrder::descending ? "descending" : "ascending"; }

RadixRequest parse_radix(std::string_view text, std::string_view option)
{
    RadixRequest request;
    if (text == "auto") return request;
    std::vector<int> list;
    long long length = 1;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        list.push_back(parse_one_radix(rest.substr(0, comma), text, option));
        length *= list.back();
        if (length > kMaxLine)
            throw InvalidProblem(
                fmt::format("{} {}: the product is more than {}, the longest line", option, text, kMaxLine));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (list.size() == 1)
        request.largest = list.front();
    else
        request.sequence = std::move(list);
    return request;
}

int largest_automatic(const Decisions& decisions) { return decisions.butterflies == Butterflies::direct ? 16 : 32; }

void decide(Decisions& decisions, std::string_view key_value)
{
    const std::size_t equals = key_value.find('=');
    const std::string_view name = key_value.substr(0, equals);
    for (const Key& key : kKeys) {
        if (key.name != name) continue;
        if (equals != std::string_view::npos && key.set(decisions, key_value.substr(equals + 1))) return;
        throw InvalidProblem(fmt::format("--decide {}: write {}={}{}", key_value, key.name, key.values,
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
    for (const Key& key : kKeys) list.push_back({key.name, key.values, key.meaning, key.get(decisions).value_or("")});
    return list;
}

std::vector<std::string> decision_keys()
{
    std::vector<std::string> keys;
    for (const Key& key : kKeys) keys.push_back(fmt::format("{}={}", key.name, key.values));
    return keys;
}

}  // namespace clconv
