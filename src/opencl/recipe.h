// What a program is made of.
#pragma once

#include <string>

namespace clconv {

/// Equal files, defines and options give equal programs.
struct Recipe {
    /// Says what it was made for: in logs, errors, lists of programs, traces and files' names. One word.
    std::string name;
    std::string file;     ///< of the kernels
    std::string defines;  ///< "#define NAME VALUE" lines
    std::string options;  ///< for the compiler, beside the ones every program gets

    /// Equal of recipes for one program, whatever they call it.
    [[nodiscard]] std::string key() const { return file + '\n' + options + '\n' + defines; }
};

}  // namespace clconv
