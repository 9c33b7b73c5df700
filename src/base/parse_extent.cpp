#include "base/parse_extent.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace clconv {
namespace {

/// 0 if the text is no number from 1 to the longest side.
int side(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value <= kLongestSide ? value : 0;
}

}  // namespace

Extent parse_extent(const std::string& option, const std::string& text, Square square)
{
    const std::size_t cross = text.find('x');
    Extent extent;
    extent.width = side(std::string_view(text).substr(0, cross));
    if (cross != std::string::npos)
        extent.height = side(std::string_view(text).substr(cross + 1));
    else if (square == Square::yes)
        extent.height = extent.width;
    if (extent.width > 0 && extent.height > 0) return extent;
    throw InvalidProblem(fmt::format(
        "{} {}: no size in pixels; give {}, each from 1 to {}", option, text,
        square == Square::yes ? "WIDTHxHEIGHT or one number, such as 15x31 or 15" : "WIDTHxHEIGHT, such as 3840x2160",
        kLongestSide));
}

}  // namespace clconv
