// Frame sequences: names with a place for a number, and lists of numbers. Pure.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace clconv {

/// Numbers in words: "1001-1100", "1001-1100x2" for every second, lists with commas. From 0 to 999999999.
/// Throws InvalidProblem, naming --frames, for anything else, and for more than a million.
[[nodiscard]] std::set<int> parse_frames(const std::string& text);

/// A file's name with a place for a number: `before`, the number with at least `digits` digits, `after`.
struct FramePattern {
    std::filesystem::path folder;
    std::string before;
    int digits = 1;
    std::string after;

    [[nodiscard]] std::filesystem::path file(int number) const;
    /// The number that a name in the folder has; none if it is no frame. As printf pads: of four digits are 0007 and
    /// 12345, but neither 7 nor 00007.
    [[nodiscard]] std::optional<int> number_in(std::string_view name) const;
    /// Sorts frames by their numbers, and between other files where their names would stand.
    [[nodiscard]] std::string order(int number) const;
};

/// The pattern in a path's last component: @ is one digit each, # too, but a single # is four of them, as elsewhere;
/// %d and %04d are printf's. Where there are several, the last one counts. None if there is none, or if the path is a
/// glob pattern.
[[nodiscard]] std::optional<FramePattern> frame_pattern(const std::string& path);

}  // namespace clconv
