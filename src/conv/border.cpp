// SPDX-License-Identifier: Apache-2.0
#include "conv/border.h"

#include "base/split.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace clconv {
namespace {

/// " (edge, nearest, replicate)", or nothing.
std::string aliases_text(const BorderMode& mode)
{
    return mode.aliases.empty() ? "" : fmt::format(" ({})", fmt::join(split(mode.aliases, ' '), ", "));
}

/// The mode as users type it.
std::string typed(const BorderMode& mode) { return fmt::format("{}{}", mode.name, mode.needs_value ? ":V" : ""); }

/// `position` in [0, period) of a signal that repeats.
int repeated(int position, int period)
{
    const int rest = position % period;
    return rest < 0 ? rest + period : rest;
}

}  // namespace

std::optional<Border> border_named(std::string_view name)
{
    for (const BorderMode& mode : kBorders)
        if (mode.name == name || (!name.empty() && std::ranges::count(split(mode.aliases, ' '), name) > 0))
            return mode.value;
    return std::nullopt;
}

std::string borders_text()
{
    std::string text;
    for (const BorderMode& mode : kBorders) {
        if (!text.empty()) text += &mode == &kBorders.back() ? " or " : ", ";
        text += typed(mode) + aliases_text(mode);
    }
    return text;
}

std::string borders_help()
{
    std::vector<std::string> lines;
    for (const BorderMode& mode : kBorders)
        lines.push_back(fmt::format("{:<34}{}", typed(mode) + aliases_text(mode), mode.picture));
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::optional<int> source_index(Border border, int position, int count)
{
    if (position >= 0 && position < count) return position;
    switch (border) {
        case Border::zero:
        case Border::constant:
        case Border::renormalize: return std::nullopt;
        case Border::clamp: return position < 0 ? 0 : count - 1;
        case Border::wrap: return repeated(position, count);
        case Border::mirror: {
            const int rest = repeated(position, 2 * count);
            return rest < count ? rest : 2 * count - 1 - rest;
        }
        case Border::reflect: {
            if (count == 1) return 0;
            const int rest = repeated(position, 2 * count - 2);
            return rest < count ? rest : 2 * count - 2 - rest;
        }
    }
    return std::nullopt;
}

}  // namespace clconv
