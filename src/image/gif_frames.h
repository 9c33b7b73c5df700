// The frames of a GIF file as its blocks have them, without a library: how many there are, how long each is shown, and
// how often the film begins again. Private to src/image.
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
    std::int64_t delay_place = -1;  ///< in the file; -1: the frame says nothing of it
};

struct GifFrames {
    std::vector<GifFrame> frames;
    std::optional<int> loops;       ///< repetitions, 0: without end; none: the film is shown once
    std::int64_t loops_place = -1;  ///< in the file; -1 if there is none
    bool is_whole = false;          ///< the file says where it ends
    std::int64_t first_block = 0;   ///< behind the screen's description and its colours
};

/// Of a file that ends too early, the frames before its end. Without frames if it is no GIF.
[[nodiscard]] GifFrames gif_frames(const std::filesystem::path& path);

/// Gives the frames of the GIF at `path` the delays and the repetitions of `wanted`, as far as there are so many.
/// False: the file could not be changed.
[[nodiscard]] bool set_gif_timing(const std::filesystem::path& path, const GifFrames& wanted);

}  // namespace clconv::oiio
