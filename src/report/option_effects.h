// Which options of `run` matter to whom.
#pragma once

#include <string_view>

namespace clconv {

/// Whether two runs that differ in this option of `run` ("--border") may make different pixels from one input and one
/// PSF. Not those that choose or name files, which the list of items tells, nor those that say where, how long or how
/// talkatively to work. An option that this function does not know counts.
[[nodiscard]] bool changes_pixels(std::string_view option);

}  // namespace clconv
