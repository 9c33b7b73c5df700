// SPDX-License-Identifier: Apache-2.0
// Checks, without a library, that the rows of an SGI file fit into the memory that the library's reader has for them.
//
// After "The SGI Image File Format" (Paul Haeberli, version 1.00).
#pragma once

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// Says what is wrong with the rows of the SGI file at `path`, if their lengths or places are not what the file states.
/// The library's reader trusts the file and would use memory that is not its own, so the file must not be decoded.
/// Empty for sound files, and for damage that the library notices itself.
[[nodiscard]] std::string fault_of_sgi(const std::filesystem::path& path);

}  // namespace clconv::oiio
