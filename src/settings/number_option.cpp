// SPDX-License-Identifier: Apache-2.0
#include "settings/number_option.h"

#include "base/parse_number.h"
#include "base/split.h"

#include <fmt/format.h>

#include <cmath>

namespace clconv {

std::optional<double> number_of(std::string_view text)
{
    const std::optional<double> value = parse_number<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

CLI::Validator in_range(double minimum, double maximum)
{
    return {[minimum, maximum](const std::string& text) {
                double value = 0;  // false for NaN below
                if (CLI::detail::lexical_cast(text, value) && value >= minimum && value <= maximum)
                    return std::string();
                return fmt::format("'{}' is not a number from {:g} to {:g}", text, minimum, maximum);
            },
            ""};
}

std::optional<std::vector<double>> numbers_of(std::string_view text)
{
    std::vector<double> values;
    for (const std::string_view word : split(text, ',')) {
        const std::optional<double> value = number_of(word);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

}  // namespace clconv
