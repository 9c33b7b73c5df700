#include "conv/decisions.h"

#include "base/errors.h"
#include "fft/radix.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

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

struct Key {
    std::string_view name;
    std::string_view values;
    bool (*set)(Decisions&, std::string_view value);
};

template <class T>
bool assign(std::optional<T>& decision, std::optional<T> value)
{
    if (value) decision = value;
    return value.has_value();
}

std::optional<int> positive(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1) return std::nullopt;
    return value;
}

std::optional<bool> split_named(std::string_view text)
{
    if (text == "split") return true;
    if (text == "whole") return false;
    return std::nullopt;
}

std::optional<int> lanes_named(std::string_view text)
{
    if (text == "1") return 1;
    if (text == "8") return 8;
    return std::nullopt;
}

constexpr std::array kKeys = {
    Key{"method", "direct|fft", [](Decisions& d, std::string_view v) { return assign(d.method, method_named(v)); }},
    Key{"residence", "local|global",
        [](Decisions& d, std::string_view v) { return assign(d.residence, residence_named(v)); }},
    Key{"lanes", "1|8", [](Decisions& d, std::string_view v) { return assign(d.lanes, lanes_named(v)); }},
    Key{"row-lines", "N", [](Decisions& d, std::string_view v) { return assign(d.rows.lines, positive(v)); }},
    Key{"row-items", "N", [](Decisions& d, std::string_view v) { return assign(d.rows.items, positive(v)); }},
    Key{"row-exchange", "whole|split",
        [](Decisions& d, std::string_view v) { return assign(d.rows.split, split_named(v)); }},
    Key{"row-registers", "N", [](Decisions& d, std::string_view v) { return assign(d.rows.registers, positive(v)); }},
    Key{"column-lines", "N", [](Decisions& d, std::string_view v) { return assign(d.columns.lines, positive(v)); }},
    Key{"column-items", "N", [](Decisions& d, std::string_view v) { return assign(d.columns.items, positive(v)); }},
    Key{"column-exchange", "whole|split",
        [](Decisions& d, std::string_view v) { return assign(d.columns.split, split_named(v)); }},
    Key{"column-registers", "N",
        [](Decisions& d, std::string_view v) { return assign(d.columns.registers, positive(v)); }},
    Key{"tile-columns", "N", [](Decisions& d, std::string_view v) { return assign(d.tile_columns, positive(v)); }},
};

}  // namespace

std::optional<Method> method_named(std::string_view name)
{
    for (const Method method : {Method::direct, Method::fft})
        if (name_of(method) == name) return method;
    return std::nullopt;
}

std::string_view name_of(Method method) { return method == Method::direct ? "direct" : "fft"; }

std::optional<Residence> residence_named(std::string_view name)
{
    for (const Residence residence : {Residence::local, Residence::global})
        if (name_of(residence) == name) return residence;
    return std::nullopt;
}

std::string_view name_of(Residence residence) { return residence == Residence::local ? "local" : "global"; }

RadixRequest parse_radix(std::string_view text, std::string_view option)
{
    RadixRequest request;
    if (text == "auto") return request;
    std::vector<int> list;
    for (std::string_view rest = text;;) {
        const std::size_t comma = rest.find(',');
        list.push_back(parse_one_radix(rest.substr(0, comma), text, option));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    if (list.size() == 1)
        request.largest = list.front();
    else
        request.sequence = std::move(list);
    return request;
}

void decide(Decisions& decisions, std::string_view key_value)
{
    const std::size_t equals = key_value.find('=');
    const std::string_view name = key_value.substr(0, equals);
    for (const Key& key : kKeys) {
        if (key.name != name) continue;
        if (equals != std::string_view::npos && key.set(decisions, key_value.substr(equals + 1))) return;
        throw InvalidProblem(fmt::format("--decide {}: write {}={}", key_value, key.name, key.values));
    }
    throw InvalidProblem(
        fmt::format("--decide {}: no such decision; known are {}", key_value, fmt::join(decision_keys(), ", ")));
}

std::vector<std::string> decision_keys()
{
    std::vector<std::string> keys;
    for (const Key& key : kKeys) keys.push_back(fmt::format("{}={}", key.name, key.values));
    return keys;
}

}  // namespace clconv
