// The version of clconv, as the build system knows it.
#pragma once

#include <string_view>

namespace clconv {

inline constexpr std::string_view kVersion = CLCONV_VERSION;

}  // namespace clconv
