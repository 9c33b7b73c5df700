// SPDX-License-Identifier: Apache-2.0
#include "image/channel_rule.h"

#include "base/errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <regex>

namespace clconv {

struct ChannelPattern::Expression {
    std::regex regex;
};

ChannelPattern::ChannelPattern(std::string text) : text_(std::move(text))
{
    if (!text_.starts_with('/')) return;
    if (text_.size() < 3 || !text_.ends_with('/'))
        throw InvalidProblem("--channels " + text_ + ": an expression ends with a slash, as in /^diffuse/");
    try {
        expression_ = std::make_shared<const Expression>(Expression{std::regex(text_.substr(1, text_.size() - 2))});
    } catch (const std::regex_error& error) {
        throw InvalidProblem("--channels " + text_ + ": is not a regular expression: " + error.what());
    }
}

bool ChannelPattern::matches(const std::string& name) const
{
    if (expression_) return std::regex_search(name, expression_->regex);
    return text_ == name || ::fnmatch(text_.c_str(), name.c_str(), 0) == 0;
}

namespace {

/// The end of the pattern that begins at `first`: a comma outside of an expression.
std::size_t end_of_pattern(std::string_view text, std::size_t first)
{
    std::size_t after = first;
    if (text.substr(first).starts_with('/')) {
        const std::size_t closing = std::min(text.find("/,", first + 1), text.size() - 1);
        after = closing;
    }
    return std::min(text.find(',', after), text.size());
}

}  // namespace

void check_patterns(const std::filesystem::path& path, const ChannelRule& rule, const std::vector<std::string>& names)
{
    for (const ChannelPattern& pattern : rule.patterns)
        if (std::ranges::none_of(names, [&](const std::string& name) { return pattern.matches(name); }))
            throw InputError(fmt::format("{}: has no channel that --channels {} names; it has {}", path.string(),
                                         pattern.text(), fmt::join(names, ", ")));
}

ChannelRule parse_channels(std::string_view text)
{
    if (text.empty()) return {ChannelRule::Kind::by_default};
    ChannelRule rule{ChannelRule::Kind::listed};
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = end_of_pattern(text, first);
        if (end == first)
            throw InvalidProblem("--channels " + std::string(text) +
                                 ": a name is missing; separate names by single commas, as in R,G,B,A");
        rule.patterns.emplace_back(std::string(text.substr(first, end - first)));
        first = end + 1;
    }
    return rule;
}

}  // namespace clconv
