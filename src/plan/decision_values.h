// SPDX-License-Identifier: Apache-2.0
// The kinds of values of decisions: values with names, other values ("N", a number), and how they are read and written.
// Only the list of decisions includes it.
#pragma once

#include "base/names.h"
#include "base/parse_extent.h"
#include "base/parse_number.h"
#include "fft/lane_line.h"
#include "plan/decisions.h"
#include "plan/plan_tiled.h"
#include "plan/radix_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv::table {

/// A whole number from 1 to `maximum`.
inline std::optional<int> number_up_to(int maximum, std::string_view text)
{
    const std::optional<int> value = parse_number<int>(text);
    return value && *value >= 1 && *value <= maximum ? value : std::nullopt;
}

/// The values of an enumeration.
template <HasNames Value>
struct OneOf {
    static std::vector<std::string> listed()
    {
        std::vector<std::string> names;
        for (const Named<Value>& known : kNames<Value>) names.emplace_back(known.name);
        return names;
    }
    static std::optional<Value> read(std::string_view text) { return value_named<Value>(text); }
    static std::string write(Value value) { return std::string(name_of(value)); }
};

struct Lanes {
    static std::vector<std::string> listed()
    {
        std::vector<std::string> counts;
        for (const int lanes : kLaneCounts) counts.push_back(write(lanes));
        return counts;
    }
    static std::optional<int> read(std::string_view text)
    {
        for (const int lanes : kLaneCounts)
            if (text == write(lanes)) return lanes;
        return std::nullopt;
    }
    static std::string write(int lanes) { return std::to_string(lanes); }
};

/// Work-items, lines, columns, registers: no device has more of them in a work-group.
struct Count {
    static constexpr std::string_view kOther = "N";
    static constexpr int kMax = kMaxCounted;
    static std::optional<int> read(std::string_view text) { return number_up_to(kMax, text); }
    static std::string write(int count) { return std::to_string(count); }
};

struct Tile {
    static std::vector<std::string> listed()
    {
        std::vector<std::string> sizes;
        for (const Extent size : tile_sizes()) sizes.push_back(to_string(size));
        return sizes;
    }
    static std::optional<Extent> read(std::string_view text) { return extent_up_to(kMaxCounted, text); }
    static std::string write(Extent tile) { return to_string(tile); }
};

struct OnePadding {
    static std::vector<std::string> listed() { return {"banks", "none"}; }
    static constexpr std::string_view kOther = "N";
    static constexpr int kMax = kMaxPadding;
    static std::optional<Padding> read(std::string_view text)
    {
        if (text == "banks") return Padding{};
        if (text == "none") return Padding{0};
        const auto cells = number_up_to(kMax, text);
        return cells ? std::optional(Padding{cells}) : std::nullopt;
    }
    static std::string write(const Padding& padding)
    {
        if (!padding.cells) return "banks";
        return *padding.cells == 0 ? "none" : std::to_string(*padding.cells);
    }
};

struct OneRadix {
    static constexpr std::string_view kOther = "R";
    static std::optional<int> read(std::string_view text) { return parse_one_radix(text, text, "--decide"); }
    static std::string write(int radix) { return std::to_string(radix); }
};

/// "16.16.4", as plans print it. An empty list decides nothing.
struct Radices {
    static constexpr std::string_view kOther = "R.R...";
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

}  // namespace clconv::table
