// SPDX-License-Identifier: Apache-2.0
#include "settings/offered_values.h"

#include "base/split.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>

namespace clconv {
namespace {

/// The name of the validator that holds offered words. It accepts every value.
constexpr std::string_view kOffers = "offers ";

bool is_fixed_word(std::string_view word)
{
    return !word.empty() && std::ranges::none_of(word, [](unsigned char c) { return std::isupper(c) || c == '['; });
}

}  // namespace

CLI::Option* offer(CLI::Option* option, const std::vector<std::string_view>& words)
{
    const auto accept = [](std::string&) { return std::string(); };
    return option->check(CLI::Validator(accept, "", fmt::format("{}{}", kOffers, fmt::join(words, "|"))));
}

std::vector<std::string> offered_values(const CLI::Option& option)
{
    CLI::Option& requested = const_cast<CLI::Option&>(option);  // CLI11 gives validators of no constant option
    std::vector<std::string> words;
    try {
        for (int i = 0;; ++i) {
            const std::string name = requested.get_validator(i)->get_name();
            if (!name.starts_with(kOffers)) continue;
            for (const std::string_view word : split(std::string_view(name).substr(kOffers.size()), '|'))
                words.emplace_back(word);
        }
    } catch (const CLI::OptionNotFound&) {  // that was the last one
    }
    const std::string type = option.get_type_name();
    if (words.empty() && type.find('|') != std::string::npos)
        for (const std::string_view word : split(type, '|'))
            if (is_fixed_word(word)) words.emplace_back(word);
    return words;
}

bool takes_file(const CLI::Option& option)
{
    const std::string type = option.get_type_name();
    return std::ranges::any_of(split(type, '|'), [](std::string_view word) {
        return word == "DIR" || word == "PSF" || word == "INPUT" || word.starts_with("FILE");
    });
}

}  // namespace clconv
