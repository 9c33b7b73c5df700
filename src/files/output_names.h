// SPDX-License-Identifier: Apache-2.0
// The output file of each item.
#pragma once

#include "files/item.h"
#include "files/listing.h"

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

struct NamingOptions {
    std::filesystem::path folder;
    std::string name;    ///< a NameTemplate; empty: {stem}{ext} with one PSF, {stem}_{psf}{ext} with several
    std::string format;  ///< an extension, with or without its dot; empty: each input's own
    std::filesystem::path file = {};  ///< of the only output; empty: in `folder`, by `name` and `format`
    /// The parts of an input to make, one file each. Called only if the name has {part}.
    std::function<std::vector<int>(const std::filesystem::path& input)> parts = {};
};

/// Extensions, as in the lists of codecs/image_file.h.
struct FileFormats {
    const std::set<std::string>& readable;
    const std::set<std::string>& writable;
};

/// Throws InvalidProblem for a template or a format that cannot be used, whatever the inputs are.
void check_naming(const NamingOptions& options, const FileFormats& formats);

/// Extensions that can be read but not written, and that outputs would have (camera raw, HEIC and others). Empty if the
/// options give outputs another extension. Throws as check_naming() does.
[[nodiscard]] std::set<std::string> extensions_without_output(const NamingOptions& options, const FileFormats& formats);

/// One item for each input and PSF, or with {part} in the name for each part of an input and PSF, input by input and
/// part by part, numbered from 0. The subfolders of each INPUT folder are kept. Throws InvalidProblem for a template or
/// an extension that cannot be used, if a filled name has "..", for example from a PSF called "...txt", and if one file
/// would be several outputs. An input with an extension that cannot be written is accepted here, and fails alone later.
[[nodiscard]] std::vector<Item> planned_items(const std::vector<InputFile>& inputs,
                                              const std::vector<std::string>& psf_names, const NamingOptions& options,
                                              const FileFormats& formats);

}  // namespace clconv
