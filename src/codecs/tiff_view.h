// SPDX-License-Identifier: Apache-2.0
// A view of a TIFF in which the library reads samples as they are stored. Private to src/codecs.
#pragma once

#include <OpenImageIO/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace clconv::oiio {

/// A view of a TIFF for the library, in which the page whose directory lies at byte `page` is the first one (the
/// library follows all directories to find a page, so that the time for a file would grow with the square of the number
/// of its pages: docs/decisions/033-pages-of-tiffs.md), and
/// - white-is-zero samples seem to be black-is-zero ones, because the library inverts those of 8 bits, with their
///   alpha, and no others;
/// - a page without BitsPerSample has it, because the library assumes 8 bits and libtiff 1.
/// Null if `page` is 0 and the file may be read as it is.
[[nodiscard]] std::unique_ptr<OIIO::Filesystem::IOProxy> tiff_view(const std::filesystem::path& path,
                                                                   std::uint64_t page);

}  // namespace clconv::oiio
