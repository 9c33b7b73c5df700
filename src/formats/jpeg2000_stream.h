// SPDX-License-Identifier: Apache-2.0
// Where the codestream of a JPEG 2000 file lies: the file itself, or a box of it (JP2). Private to src/formats.
//
// After ISO 15444-1, annexes A and I.
#pragma once

#include "formats/file_head.h"

#include <cstdint>
#include <optional>

namespace clconv::oiio {

/// Its first byte; none if there is none.
[[nodiscard]] std::optional<std::uint64_t> jpeg2000_stream(FileHead& file);

/// Behind the file's last byte: that of its codestream, or of the boxes in front of another file of boxes. 0 if it is
/// damaged, or if nothing says where it ends.
[[nodiscard]] std::uint64_t jpeg2000_end(FileHead& file);

}  // namespace clconv::oiio
