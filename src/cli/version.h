// SPDX-License-Identifier: Apache-2.0
// The version of clconv, as the build system knows it.
#pragma once

#include <string_view>

namespace clconv {

inline constexpr std::string_view kVersion = CLCONV_VERSION;

/// The commit that was built, with "-changed" if the tree had changes; "unknown" where git does not know. Defined in a
/// source that the build writes (cmake/WriteCommit.cmake).
[[nodiscard]] std::string_view commit();

}  // namespace clconv
