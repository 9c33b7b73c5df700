// Which channels of a file are convolved, and which are copied as they are: `--channels`.
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
    /// "R", "diffuse.*", "/^spec/". Throws InvalidProblem for an expression that is none.
    explicit ChannelPattern(std::string text);

    [[nodiscard]] bool matches(const std::string& name) const;
    /// As it was given.
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    struct Expression;
    std::string text_;
    std::shared_ptr<const Expression> expression_;  ///< null: a name or a glob
};

struct ChannelRule {
    enum class Kind {
        all,     ///< every channel
        usual,   ///< all but those of is_usually_kept(): image/channel_kinds.h
        listed,  ///< those that match a pattern
    };
    Kind kind = Kind::all;
    std::vector<ChannelPattern> patterns = {};
    bool each_must_match =
        true;  ///< a pattern that no channel of an image matches is an error; not so of one part of several
};

/// Throws InputError, saying which channels there are, if a pattern matches none of them. `path`: of their file.
void check_patterns(const std::filesystem::path& path, const ChannelRule& rule, const std::vector<std::string>& names);

/// What `--channels` says: patterns, separated by commas; nothing: the usual rule. A comma between the slashes of an
/// expression belongs to it. Throws InvalidProblem.
[[nodiscard]] ChannelRule parse_channels(std::string_view text);

}  // namespace clconv
