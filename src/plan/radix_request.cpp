// SPDX-License-Identifier: Apache-2.0
#include "plan/radix_request.h"

#include "base/errors.h"
#include "base/parse_number.h"
#include "base/split.h"
#include "fft/factorize.h"
#include "fft/radix.h"

#include <fmt/format.h>

#include <utility>

namespace clconv {

int parse_one_radix(std::string_view text, std::string_view whole, std::string_view option)
{
    const std::optional<int> value = parse_number<int>(text);
    if (!value || !supported_radix(*value))
        throw InvalidProblem(fmt::format("{} {}: '{}' is not a supported radix; use auto, or one or more of {}", option,
                                         whole, text, supported_radices_text()));
    return *value;
}

RadixRequest parse_radix(std::string_view text, std::string_view option)
{
    RadixRequest request;
    if (text == "auto") return request;
    std::vector<int> list;
    long long length = 1;
    for (const std::string_view word : split(text, ',')) {
        list.push_back(parse_one_radix(word, text, option));
        length *= list.back();
        if (length > kMaxLine)
            throw InvalidProblem(
                fmt::format("{} {}: the product is more than {}, the longest line", option, text, kMaxLine));
    }
    if (list.size() == 1)
        request.largest = list.front();
    else
        request.sequence = std::move(list);
    return request;
}

}  // namespace clconv
