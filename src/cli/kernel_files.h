// SPDX-License-Identifier: Apache-2.0
// The finished programs of a plan as OpenCL C files: clconv plan --kernels.
#pragma once

#include "opencl/recipe.h"

#include <filesystem>
#include <string>
#include <vector>

namespace clconv {

/// Writes each program into `folder`, which is made if it is missing. Returns the files in the order of the programs.
/// They have the names of the programs (at most 200 letters) plus .cl; a second file of a name gets -2.
///
/// A file begins with comments: the program's name, the compiler's options, and `plan`, one line that names the plan.
/// The program's defines and the text of its kernels follow, without includes, as drivers get them. Throws OutputExists
/// before anything is written if a file exists and `overwrite` is false, InvalidProblem if `folder` is not a folder and
/// cannot be made, InputError if a file cannot be written.
std::vector<std::filesystem::path> write_kernel_files(const std::filesystem::path& folder,
                                                      const std::vector<Recipe>& programs, const std::string& plan,
                                                      bool overwrite);

}  // namespace clconv
