// SPDX-License-Identifier: Apache-2.0
// The place that `--output` names: a folder, or the one file to write.
#pragma once

#include <filesystem>
#include <string>

namespace clconv {

struct OutputPlace {
    std::filesystem::path folder;  ///< of the outputs
    std::filesystem::path file;    ///< of the only output; if empty, outputs are named after their inputs
};

/// `output`, as typed, names a file if its extension can be written, it does not end with a slash, and it is not an
/// existing folder. Throws InvalidProblem for the extension of an image format that can only be read.
[[nodiscard]] OutputPlace output_place(const std::string& output);

/// Throws InvalidProblem if `place` is a file and --name or --format contradicts it.
void check_output_options(const OutputPlace& place, const std::string& name, const std::string& format);

}  // namespace clconv
