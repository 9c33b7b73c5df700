// SPDX-License-Identifier: Apache-2.0
#include "files/frames.h"

#include "base/errors.h"
#include "files/glob.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace clconv {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxDigits = 9;
constexpr int kMaxNumber = 999'999'999;
constexpr std::size_t kMaxFrames = 1'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// None unless `text` is a number of one to nine digits.
std::optional<int> number(std::string_view text)
{
    if (text.empty() || text.size() > kMaxDigits || !std::ranges::all_of(text, is_digit)) return std::nullopt;
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// The same with a minus sign in front, or without.
std::optional<int> signed_number(std::string_view text)
{
    const bool is_negative = text.starts_with('-');
    const std::optional<int> magnitude = number(text.substr(is_negative ? 1 : 0));
    return is_negative && magnitude ? std::optional(-*magnitude) : magnitude;
}

struct Range {
    int first = 0;
    int last = 0;
    int step = 1;
};

std::optional<Range> parsed_range(std::string_view text)
{
    const std::size_t dash = text.find('-', 1);  // the first character may be the sign of the first number
    const std::optional<int> first = signed_number(text.substr(0, dash));
    if (!first) return std::nullopt;
    if (dash == std::string_view::npos) return Range{*first, *first};
    const std::string_view rest = text.substr(dash + 1);
    const std::size_t cross = rest.find('x');
    const std::optional<int> last = signed_number(rest.substr(0, cross));
    const std::optional<int> step = cross == std::string_view::npos ? 1 : number(rest.substr(cross + 1));
    if (!last || !step || *last < *first || *step < 1) return std::nullopt;
    return Range{*first, *last, *step};
}

/// The place of the number in a name, and its minimum number of digits.
struct Place {
    std::size_t begin = 0;
    std::size_t end = 0;
    int digits = 1;
};

/// "%d" or "%04d" at `begin`.
std::optional<Place> printf_place(std::string_view name, std::size_t begin)
{
    const std::size_t end = name.find('d', begin);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view width = name.substr(begin + 1, end - begin - 1);
    if (width.empty()) return Place{begin, end + 1, 1};
    const std::optional<int> digits = width.size() <= 3 && width.front() == '0' ? number(width) : std::nullopt;
    if (!digits) return std::nullopt;
    return Place{begin, end + 1, std::max(*digits, 1)};
}

std::optional<Place> place_of_number(std::string_view name)
{
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == '%')
            if (const std::optional<Place> place = printf_place(name, i)) return place;
        if (name[i] != '#' && name[i] != '@') continue;
        const std::size_t before = name.find_last_not_of(name[i], i);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const int signs = static_cast<int>(i + 1 - begin);
        return Place{begin, i + 1, name[i] == '#' && signs == 1 ? 4 : signs};
    }
    return std::nullopt;
}

}  // namespace

std::set<int> parse_frames(const std::string& text)
{
    std::set<int> frames;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, comma - begin);
        const std::optional<Range> range = parsed_range(part);
        if (!range)
            throw InvalidProblem(
                fmt::format("--frames {}: \"{}\" is not a range of frames; give numbers of at most nine digits as in "
                            "1001-1100, 1001-1100x2 (every second), 1-5,8 or -12-3",
                            text, part));
        for (std::int64_t frame = range->first; frame <= range->last; frame += range->step) {
            frames.insert(static_cast<int>(frame));
            if (frames.size() > kMaxFrames)
                throw InvalidProblem(fmt::format("--frames {}: more than {} frames; give fewer", text, kMaxFrames));
        }
        begin = comma + 1;
    }
    return frames;
}

fs::path FramePattern::file(int number) const
{
    return folder / fmt::format("{}{:0{}}{}", before, number, digits, after);
}

std::optional<int> FramePattern::number_in(std::string_view name) const
{
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
        return std::nullopt;
    const std::string_view text = name.substr(before.size(), name.size() - before.size() - after.size());
    const bool is_negative = text.starts_with('-');
    const std::string_view padded = text.substr(is_negative ? 1 : 0);
    if (padded.empty()) return std::nullopt;
    const std::size_t zeros = std::min(padded.find_first_not_of('0'), padded.size() - 1);
    std::optional<int> found = number(padded.substr(zeros));
    if (found && is_negative) found = -*found;
    return found && fmt::format("{:0{}}", *found, digits) == text ? found : std::nullopt;
}

std::string FramePattern::order(int number) const
{
    // A minus sign sorts before digits. Behind it, the lowest number gets the lowest key.
    const std::string key = number < 0 ? fmt::format("-{:09}", kMaxNumber + number) : fmt::format("{:09}", number);
    return fmt::format("{}{}{}", (folder / before).lexically_normal().string(), key, after);
}

std::optional<FramePattern> frame_pattern(const std::string& path)
{
    if (is_pattern(path)) return std::nullopt;
    const fs::path whole(path);
    const std::string name = whole.filename().string();
    const std::optional<Place> place = place_of_number(name);
    if (!place) return std::nullopt;
    return FramePattern{whole.parent_path(), name.substr(0, place->begin), place->digits, name.substr(place->end)};
}

}  // namespace clconv
