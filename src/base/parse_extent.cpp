// SPDX-License-Identifier: Apache-2.0
#include "base/parse_extent.h"

#include "base/errors.h"
#include "base/parse_number.h"

#include <fmt/format.h>

namespace clconv {
namespace {

std::optional<int> side_up_to(int maximum, std::string_view text)
{
    const std::optional<int> side = parse_number<int>(text);
    return side && *side >= 1 && *side <= maximum ? side : std::nullopt;
}

}  // namespace

Extent parse_extent(const std::string& option, const std::string& text, Square square)
{
    if (const std::optional<Extent> extent = extent_up_to(kMaxSide, text)) return *extent;
    const std::optional<int> side = side_up_to(kMaxSide, text);
    if (side && square == Square::yes) return {*side, *side};
    throw InvalidProblem(fmt::format(
        "{} {}: not a size in pixels; give {}, each from 1 to {}", option, text,
        square == Square::yes ? "WIDTHxHEIGHT or one number, such as 15x31 or 15" : "WIDTHxHEIGHT, such as 3840x2160",
        kMaxSide));
}

std::optional<Extent> extent_up_to(int maximum, std::string_view text)
{
    const std::size_t cross = text.find_first_of("xX");
    if (cross == std::string_view::npos) return std::nullopt;
    const std::optional<int> width = side_up_to(maximum, text.substr(0, cross));
    const std::optional<int> height = side_up_to(maximum, text.substr(cross + 1));
    if (!width || !height) return std::nullopt;
    return Extent{*width, *height};
}

}  // namespace clconv
