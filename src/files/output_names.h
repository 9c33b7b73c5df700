// Which file each item is written to.
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
    /// The parts to make of an input, one file each. Asked only if the name has {part}.
    std::function<std::vector<int>(const std::filesystem::path& input)> parts = {};
};

/// Extensions as image/image_file.h lists them.
struct FileFormats {
    const std::set<std::string>& readable;
    const std::set<std::string>& writable;
};

/// Throws InvalidProblem for a template or a format that cannot be used, whatever the inputs are.
void check_naming(const NamingOptions& options, const FileFormats& formats);

/// Extensions that can be read, and that outputs would have but cannot be written with: those of camera raw, HEIC and
/// others, unless the options give outputs another. Throws as check_naming() does.
[[nodiscard]] std::set<std::string> extensions_without_output(const NamingOptions& options, const FileFormats& formats);

/// One item for each input and PSF, or with {part} in the name for each part of an input and PSF, input by input and
/// part by part, numbered from 0. The folders below each INPUT folder are kept.
/// Throws InvalidProblem for a template or an extension that cannot be used, and if a filled name holds "..", as from a
/// PSF called "...txt", or if one file is to hold several outputs. An extension of an input that cannot be written is
/// let through: that input fails alone.
[[nodiscard]] std::vector<Item> planned_items(const std::vector<InputFile>& inputs,
                                              const std::vector<std::string>& psf_names, const NamingOptions& options,
                                              const FileFormats& formats);

}  // namespace clconv
