// SPDX-License-Identifier: Apache-2.0
// The pictures of a page: of some of a report's images, made from their files.
#pragma once

#include "report/run_page.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// Two files of one image.
struct PicturedFiles {
    std::size_t entry = 0;  ///< number in the report's list
    std::filesystem::path first;
    std::filesystem::path second;
    int first_part = 0;
    int second_part = 0;
    bool has_difference = false;  ///< also show where they differ
};

/// The done items of a run's report, or the pairs of a comparison that could be read. Names are relative to the current
/// folder.
[[nodiscard]] std::vector<PicturedFiles> pictured_files(const nlohmann::ordered_json& report);

/// Pictures of at most `maximum` of `files`, evenly spread over the list. Each is read in a process of its own. Files
/// that are not there, or cannot be read in half a minute, are counted as missing.
[[nodiscard]] PageGallery gallery_of(const std::vector<PicturedFiles>& files, std::size_t maximum);

}  // namespace clconv
