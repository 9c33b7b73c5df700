// SPDX-License-Identifier: Apache-2.0
// The page that people look at: a report as HTML, of `--html FILE` and `clconv report`.
//
// A page holds the report itself, without what a page does not show and with each plan once, and a script that shows
// it (src/pages/web). So all numbers of the page are those of the report.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace clconv {

struct PagePicture {
    std::string uri;  ///< the encoded picture itself: "data:image/jpeg;base64,..."
    int width = 0;
    int height = 0;
};

/// An image in two or three versions: before and after, or the two images of a comparison and their difference.
struct PagePictures {
    std::size_t entry = 0;               ///< number of the item, or of the pair of a comparison, in the report's list
    std::vector<PagePicture> overviews;  ///< made smaller
    std::vector<PagePicture> details;    ///< the same place of each, at full resolution; may be empty
    int detail_x = 0;                    ///< where that is in the first image, in pixels
    int detail_y = 0;
    double shown_from = 0;  ///< the value that is shown as black
    double shown_to = 1;    ///< and as white
};

/// What a page tells of pictures.
struct PageGallery {
    std::vector<PagePictures> pictures;  ///< sorted by entry
    std::size_t missing = 0;             ///< images that were chosen, and whose files cannot be shown
};

/// Whether this is the JSON of `clconv run --report` (or of merged reports), or of `clconv compare --json`.
enum class ReportKind { run, comparison };

/// Throws InputError that says `name`: the text is no JSON, or of neither kind.
[[nodiscard]] nlohmann::ordered_json parsed_report(const std::string& name, const std::string& text);

/// `report` has passed parsed_report(), or is what clconv has made.
[[nodiscard]] ReportKind kind_of_report(const nlohmann::ordered_json& report);

[[nodiscard]] std::string report_page(nlohmann::ordered_json report, const PageGallery& gallery);

}  // namespace clconv
