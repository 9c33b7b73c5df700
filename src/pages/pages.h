// SPDX-License-Identifier: Apache-2.0
// HTML pages in one file each, which need no network: the page of `clconv tune`, and that of a run's report.
//
// web/ has the frame of all pages, their styles and their scripts. A page's policy lets a browser load nothing but
// pictures that are part of the page.
//
// Names and messages come from files that others made. So text becomes part of a page only by escaped(), or as JSON
// that scripts show as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// The text of an HTML element or attribute.
[[nodiscard]] std::string escaped(std::string_view text);

/// A script element with this ID that holds JSON text, whatever strings are in it. `json` is valid JSON.
[[nodiscard]] std::string embedded_json(std::string_view id, std::string_view json);

struct Page {
    std::string title;    ///< plain text
    std::string content;  ///< HTML
    /// Names of files in web/, in the order in which the page has them. All pages begin with page.css.
    std::vector<std::string_view> styles = {};
    std::vector<std::string_view> scripts = {};
};

[[nodiscard]] std::string page_text(const Page& page);

}  // namespace clconv
