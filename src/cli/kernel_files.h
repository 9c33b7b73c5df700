// The finished programs of a plan as OpenCL C files: clconv plan --kernels.
#pragma once

#include "opencl/recipe.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// Writes each program into `folder`, which is made if it is missing, and returns the files in the order of the
/// programs. They are called as the programs (at most 200 letters), with .cl; a second one of a name gets -2.
///
/// A file begins with comments (the program's name, the compiler's options, `plan`: one line that says what it is for),
/// then come the program's defines and the text of its kernels without includes, as drivers get them.
/// Throws OutputExists before anything is written if a file is there and `overwrite` is false; InvalidProblem if the
/// folder is none and cannot be made; InputError if a file cannot be written.
std::vector<std::filesystem::path> write_kernel_files(const std::filesystem::path& folder,
                                                      const std::vector<Recipe>& programs, const std::string& plan,
                                                      bool overwrite);

}  // namespace clconv
