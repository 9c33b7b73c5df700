// SPDX-License-Identifier: Apache-2.0
// The files of `clconv compare`: pairs by name, and their samples as they are stored.
#pragma once

#include "base/messages.h"
#include "compare/stored_samples.h"
#include "image/image.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace clconv {

struct FilePair {
    std::string name;  ///< relative to both folders; of two files, that of the first as typed
    std::filesystem::path a;
    std::filesystem::path b;
};

struct PairedFiles {
    bool are_folders = false;
    std::vector<FilePair> pairs;
    std::vector<std::string> only_in_a;
    std::vector<std::string> only_in_b;
};

/// Two files, or the images below two folders by their relative names. Throws InvalidProblem for a file and a folder,
/// NoInput for a folder without images, and InputError for one that cannot be listed.
[[nodiscard]] PairedFiles paired_files(const std::string& a, const std::string& b, Messages& messages);

/// An image whose channels are all as in the file.
struct StoredImage {
    Image image;
    FramePlace place = {};

    [[nodiscard]] StoredSamples samples() const;
};

/// Every part of a file (page, frame, part of an OpenEXR file), without metadata. A process of its own reads it, so
/// that a decoder that crashes or hangs is an InputError too, as are all that read_image() names.
[[nodiscard]] std::vector<StoredImage> stored_parts(const std::filesystem::path& path);

}  // namespace clconv
