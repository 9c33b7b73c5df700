#include "cli/resolution_option.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace clconv {

int shrink_of(const std::string& resolution)
{
    if (resolution == "1") return 1;
    if (resolution == "1/2") return 2;
    if (resolution == "1/4") return 4;
    throw InvalidProblem(fmt::format("--resolution {}: give 1, 1/2 or 1/4", resolution));
}

}  // namespace clconv
