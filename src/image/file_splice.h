// Other bytes, more or fewer, in the middle of a file. Private to src/image.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace clconv::oiio {

/// Puts `bytes` in the place of `count` bytes from `offset` on; what is behind them moves. Holds a MiB of the file at a
/// time. Throws InputError with the system's reason; then the file is of no use.
void replace_bytes(const std::filesystem::path& file, std::size_t offset, std::size_t count, const std::string& bytes);

}  // namespace clconv::oiio
