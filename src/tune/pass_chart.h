// SPDX-License-Identifier: Apache-2.0
// The drawing of a device's passes: the length of a line against the bytes that its passes move in a second.
#pragma once

#include "tune/report.h"

#include <string>
#include <vector>

namespace clconv {

/// A figure for each kind of samples: rows, columns and rows back below each other, on the same scales. Shapes of few
/// lines are left out. HTML, with the classes of page.css.
///
/// `lines`: pass_lines() of one set. `copy_gb_s`: of the device; 0: unknown.
[[nodiscard]] std::string pass_charts(const std::vector<PassLine>& lines, double copy_gb_s);

}  // namespace clconv
