// SPDX-License-Identifier: Apache-2.0
// The ingredients of a program.
#pragma once

#include <string>

namespace clconv {

/// Equal files, defines and options give equal programs.
struct Recipe {
    /// The name says what the program was made for: in logs, errors, lists of programs, traces and file names. One
    /// word.
    std::string name;
    std::string file;     ///< of the kernels
    std::string defines;  ///< "#define NAME VALUE" lines
    std::string options;  ///< for the compiler, besides those of every program

    /// Equal for recipes of the same program, even with different names.
    [[nodiscard]] std::string key() const { return file + '\n' + options + '\n' + defines; }
};

}  // namespace clconv
