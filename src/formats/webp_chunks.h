// SPDX-License-Identifier: Apache-2.0
// The ICC profile, Exif and XMP of a WebP file, and the frames of a WebP animation.
//
// After RFC 9649, section 2.
#pragma once

#include "base/extent.h"
#include "formats/embedded_blocks.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace clconv::oiio {

/// The value of "compression" in headers of lossless WebP pictures.
inline constexpr const char* kLosslessWebp = "lossless";

struct WebpBlocks {
    std::string profile = {};
    EmbeddedBlocks blocks = {};
};

/// The blocks of the file at `path`, as far as they can be read. Empty if the file is not a WebP, or if they take more
/// than 32 MiB.
[[nodiscard]] WebpBlocks webp_blocks(const std::filesystem::path& path);

/// Whether the picture at `path`, or every frame of the animation, is a WebP that was compressed without loss.
[[nodiscard]] bool is_lossless_webp(const std::filesystem::path& path);

struct WebpKind {
    bool has_alpha = false;
    bool is_animation = false;
};
/// None if the file at `path` is not a WebP.
[[nodiscard]] std::optional<WebpKind> webp_kind(const std::filesystem::path& path);

/// Replaces the blocks of the complete WebP at `path`, of images of `extent`. Throws InputError.
void put_webp_blocks(const std::filesystem::path& path, Extent extent, const WebpBlocks& blocks);

/// How an animation is shown.
struct WebpAnimation {
    std::vector<std::uint32_t> durations = {};  ///< of its frames, in milliseconds
    std::uint32_t loops = 0;                    ///< repetitions; 0: endless
    std::uint32_t background = 0;               ///< a colour behind the animation, as it stands in the file
    bool has_alpha = false;                     ///< it says that frames may be transparent
};

/// No frames if the file at `path` is not an animation.
[[nodiscard]] WebpAnimation webp_animation(const std::filesystem::path& path);

/// Makes an animation of WebPs of one picture each, whose frames all fill the canvas and cover the one before.
class WebpAnimationWriter {
public:
    /// Begins the animation in the file at `path`. The functions throw InputError.
    WebpAnimationWriter(const std::filesystem::path& path, Extent extent, const WebpAnimation& animation);
    /// The next frame, from the WebP at `picture`, and how many milliseconds it is shown.
    void add(const std::filesystem::path& picture, std::uint32_t duration);
    /// Completes the file.
    void finish();

private:
    void put(const std::string& bytes);

    Extent extent_;
    std::ofstream file_;
    std::uint64_t bytes_ = 0;
    bool has_alpha_ = false;
};

}  // namespace clconv::oiio
