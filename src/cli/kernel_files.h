// The finished programs of a plan as OpenCL C files: clconv plan --kernels.
#pragma once

#include "opencl/recipe.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// A program's name as a file's, of lower-case letters, digits, '.', '=', '_' and '-', and at most 204 bytes long:
/// "rows 64=8.8, u8>u8 x3" is "rows-64=8.8-u8-to-u8-x3.cl".
[[nodiscard]] std::string kernel_file_name(const std::string& program);

/// Writes each program into `folder`, which is made if it is missing, and returns the files in the order of the
/// programs.
///
/// A file begins with comments (the program's name, the compiler's options, `plan`: one line that says what it is for),
/// then come the program's defines and the text of its kernels without includes, as drivers get them.
/// Throws OutputExists before anything is written if a file is there and `overwrite` is false; InvalidProblem if the
/// folder is none and cannot be made; InputError if a file cannot be written.
std::vector<std::filesystem::path> write_kernel_files(const std::filesystem::path& folder,
                                                      const std::vector<Recipe>& programs, const std::string& plan,
                                                      bool overwrite);

}  // namespace clconv
