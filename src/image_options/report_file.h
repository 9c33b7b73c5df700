// SPDX-License-Identifier: Apache-2.0
// Files that hold reports.
#pragma once

#include <string>

namespace clconv {

/// The text of a file. Throws InputError if it cannot be read, or is a device, which may never end.
[[nodiscard]] std::string report_text(const std::string& file);

}  // namespace clconv
