// --resolution of `bloom` and `warm`: the size at which highlights are convolved.
#pragma once

#include <string>

namespace clconv {

/// 1 / `--resolution`: 1, 2 or 4. Throws InvalidProblem.
[[nodiscard]] int shrink_of(const std::string& resolution);

}  // namespace clconv
