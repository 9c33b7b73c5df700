#include "conv/border.h"

#include <array>
#include <utility>

namespace clconv {
namespace {

/// Names first, then aliases.
constexpr std::array<std::pair<std::string_view, Border>, 14> kNames = {{
    {"zero", Border::zero},
    {"constant", Border::constant},
    {"clamp", Border::clamp},
    {"wrap", Border::wrap},
    {"mirror", Border::mirror},
    {"reflect", Border::reflect},
    {"renormalize", Border::renormalize},
    {"black", Border::zero},
    {"edge", Border::clamp},
    {"nearest", Border::clamp},
    {"replicate", Border::clamp},
    {"periodic", Border::wrap},
    {"symmetric", Border::mirror},
    {"reflect101", Border::reflect},
}};

/// `position` in [0, period) of a signal that repeats.
int repeated(int position, int period)
{
    const int rest = position % period;
    return rest < 0 ? rest + period : rest;
}

}  // namespace

std::optional<Border> border_named(std::string_view name)
{
    for (const auto& [known, border] : kNames)
        if (known == name) return border;
    return std::nullopt;
}

std::string_view name_of(Border border)
{
    for (const auto& [name, named] : kNames)
        if (named == border) return name;
    return "?";
}

bool is_empty_outside(Border border)
{
    return border == Border::zero || border == Border::constant || border == Border::renormalize;
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
