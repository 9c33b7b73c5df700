// SPDX-License-Identifier: Apache-2.0
// Frame sequences: names with a place for a number, and lists of numbers. Pure.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace clconv {

/// Parses frame numbers: "1001-1100", "1001-1100x2" for every second one, lists with commas. From -999999999 to
/// 999999999: "-12-3", "-12--1".
/// Throws InvalidProblem with --frames for anything else, and for more than a million frames.
[[nodiscard]] std::set<int> parse_frames(const std::string& text);

/// A file's name with a place for a number: `before`, the number in at least `digits` characters, `after`.
struct FramePattern {
    std::filesystem::path folder;
    std::string before;
    int digits = 1;
    std::string after;

    [[nodiscard]] std::filesystem::path file(int number) const;
    /// The number of a name in the folder; none if it is not a frame. Numbers are padded as by printf: with four
    /// digits, 0007, 12345 and -012 match, but 7, 00007 and -12 do not.
    [[nodiscard]] std::optional<int> number_in(std::string_view name) const;
    /// A sort key: frames are ordered by their numbers, and among other files by their names.
    [[nodiscard]] std::string order(int number) const;
};

/// The pattern in a path's last component. Each @ is one digit, and so is each #, but a single # is four digits, as in
/// other programs. %d and %04d are printf's. If there are several places, the last one counts. None if there is no
/// place, or if the path is a glob pattern.
[[nodiscard]] std::optional<FramePattern> frame_pattern(const std::string& path);

}  // namespace clconv
