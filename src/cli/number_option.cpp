#include "cli/number_option.h"

#include <charconv>
#include <cmath>

namespace clconv {

std::optional<double> number_of(std::string_view text)
{
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::vector<double>> numbers_of(std::string_view text)
{
    std::vector<double> values;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::optional<double> value = number_of(text.substr(0, comma));
        if (!value) return std::nullopt;
        values.push_back(*value);
        if (comma == std::string_view::npos) return values;
        text.remove_prefix(comma + 1);
    }
}

}  // namespace clconv
