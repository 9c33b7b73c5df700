// SPDX-License-Identifier: Apache-2.0
// --channels together with {part}: each part of a file is an item, and a pattern need not match in every part.
#pragma once

#include "batch/image_work.h"
#include "files/item.h"
#include "image/image.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace clconv {

/// The rules to read an item, or the first of its parts.
[[nodiscard]] DecodeRules decode_rules_of(const Item& item, const ImageWork& work);

/// The chosen parts of a file that has `count` of them. Named parts that do not exist are left out.
[[nodiscard]] std::vector<int> existing_parts(const PartChoice& choice, int count);

/// Looks for the patterns of --channels in all chosen parts of a file, as if they went into one output. May be called
/// by several threads.
class PartChannels {
public:
    /// `image`: the part of `item`. Throws InputError if a pattern matches in none of the chosen parts of its file.
    void check(const Item& item, const Image& image, const ImageWork& work);

private:
    std::mutex mutex_;
    std::map<std::filesystem::path, std::string> found_;  ///< what is wrong with a file; empty: nothing
};

}  // namespace clconv
