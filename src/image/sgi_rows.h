// The rows of an SGI file, read without a library: whether the library's reader can decode them in the memory that it
// has for them. Private to src/image.
//
// After "The SGI Image File Format" (Paul Haeberli, version 1.00).
#pragma once

#include <filesystem>
#include <string>

namespace clconv::oiio {

/// What is wrong with an SGI file whose rows are not as long as it says, or are not where it says: the library's reader
/// takes the file's word, and writes or reads beyond its memory. Such a file is not to be decoded at all. Empty for
/// sound files, and for those that are damaged in ways that the library notices. `path`: of an SGI file.
[[nodiscard]] std::string fault_of_sgi(const std::filesystem::path& path);

}  // namespace clconv::oiio
