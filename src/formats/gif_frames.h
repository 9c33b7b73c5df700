// SPDX-License-Identifier: Apache-2.0
// The frames of a GIF file, read from its blocks without a library: their number, how long each is shown, and how often
// the animation repeats.
//
// After GIF89a (CompuServe, 1990), and Netscape's application extension for the number of repetitions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace clconv::oiio {

struct GifFrame {
    int delay = 0;                  ///< hundredths of a second that it is shown
    std::int64_t delay_place = -1;  ///< in the file; -1 if the frame has none
    int disposal = 0;               ///< before the next frame: 2, its rectangle is cleared; 3, restored; else it stays
    bool covers_all = true;         ///< its rectangle is the whole picture
    bool has_clear_colour = false;  ///< one that leaves a pixel as it was before the frame
};

struct GifFrames {
    std::vector<GifFrame> frames;
    std::optional<int> loops;       ///< repetitions; 0: endless; none: the animation is shown once
    std::int64_t loops_place = -1;  ///< in the file; -1 if there is none
    bool has_clear_pixels = false;  ///< or may have: no frame has painted some pixel of the picture that is shown
    bool is_whole = false;          ///< whether the file has its end mark
    std::int64_t first_block = 0;   ///< after the screen's description and its colours
    std::uint64_t end = 0;          ///< behind the end mark; 0 if there is none
};

/// For a file that ends too early, the frames before its end. No frames if it is not a GIF.
[[nodiscard]] GifFrames gif_frames(const std::filesystem::path& path);

/// Sets the delays and the repetitions of the GIF at `path` to those of `wanted`, as far as both have frames. False if
/// the file could not be changed.
[[nodiscard]] bool set_gif_timing(const std::filesystem::path& path, const GifFrames& wanted);

/// Removes the animation from the GIF of one picture at `path`. The library's writer shows that picture for a second,
/// again and again.
void make_gif_still(const std::filesystem::path& path);

}  // namespace clconv::oiio
