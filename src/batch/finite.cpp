#include "batch/finite.h"

#include "base/errors.h"

#include <fmt/format.h>

namespace clconv {

void require_finite(const std::filesystem::path& path, const NonFinite& bad)
{
    if (bad.count == 0) return;
    throw InputError(
        fmt::format("{}: {} sample{} not finite (NaN or infinite), the first at x {}, y {}, channel {}; "
                    "finite samples are needed: repair the image first",
                    path.string(), bad.count, bad.count == 1 ? " is" : "s are", bad.first.x, bad.first.y, bad.channel));
}

}  // namespace clconv
