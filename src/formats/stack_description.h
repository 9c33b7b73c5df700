// SPDX-License-Identifier: Apache-2.0
// Corrects the number and size of pages in a TIFF's image description for a new file.
//
// ImageJ writes lines (images=7), OME an XML document (https://docs.openmicroscopy.org/ome-model), tifffile the shape
// of an array as JSON.
#pragma once

#include "base/extent.h"
#include "base/file_type.h"

#include <optional>
#include <string>

namespace clconv::oiio {

/// A file before and after it was convolved.
struct StackChange {
    int parts_before = 1;
    int parts = 1;         ///< that are written
    bool all_kept = true;  ///< all of them, in their order
    Extent before;         ///< of the page that has the description
    Extent after;
    FileType type = FileType::u8;  ///< of the samples that are written
    bool same_type = true;         ///< as before
};

/// Whether a description counts the images of its file.
[[nodiscard]] bool counts_images(const std::string& description);

/// The number of images in the file according to ImageJ; 0 if unknown.
[[nodiscard]] int imagej_images(const std::string& description);

/// The description, corrected for the new file. Other texts are unchanged. None if it cannot be corrected.
[[nodiscard]] std::optional<std::string> description_after(const std::string& description, const StackChange& change);

}  // namespace clconv::oiio
