// Where `--output` leads: a folder, or the one file that is to be written.
#pragma once

#include <filesystem>
#include <string>

namespace clconv {

struct OutputPlace {
    std::filesystem::path folder;  ///< of the outputs
    std::filesystem::path file;    ///< of the only output; empty: outputs are named after their inputs
};

/// `output`, as typed, is a file's name if it ends in an extension that can be written, not in a slash, and is no
/// folder that exists. Throws InvalidProblem for the extension of an image that can only be read.
[[nodiscard]] OutputPlace output_place(const std::string& output);

/// Throws InvalidProblem if a file is to be written, and --name or --format says something else of it.
void check_output_options(const OutputPlace& place, const std::string& name, const std::string& format);

}  // namespace clconv
