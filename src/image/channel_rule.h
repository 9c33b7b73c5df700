// SPDX-License-Identifier: Apache-2.0
// Which channels of a file are convolved, and which are copied: `--channels`.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// A name, a glob (* ? [a-z], over the whole name) or a regular expression (anywhere in the name) of channels.
class ChannelPattern {
public:
    /// "R", "diffuse.*", "/^spec/". Throws InvalidProblem for an invalid expression.
    explicit ChannelPattern(std::string text);

    [[nodiscard]] bool matches(const std::string& name) const;
    /// The pattern as it was given.
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    struct Expression;
    std::string text_;
    std::shared_ptr<const Expression> expression_;  ///< null: a name or a glob
};

struct ChannelRule {
    enum class Kind {
        all,         ///< every channel
        by_default,  ///< all except those of is_copied_by_default(): image/channel_kinds.h
        listed,      ///< those that match a pattern
    };
    Kind kind = Kind::all;
    std::vector<ChannelPattern> patterns = {};
    bool each_must_match =
        true;  ///< whether a pattern without a matching channel is an error; false for one part of several
};

/// Throws InputError with a list of the channels if a pattern matches none of them. `path`: of their file.
void check_patterns(const std::filesystem::path& path, const ChannelRule& rule, const std::vector<std::string>& names);

/// Parses `--channels`: patterns, separated by commas. An empty text is the default rule. A comma between the slashes
/// of an expression belongs to it. Throws InvalidProblem.
[[nodiscard]] ChannelRule parse_channels(std::string_view text);

}  // namespace clconv
