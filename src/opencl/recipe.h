// What a program is made of.
#pragma once

#include <string>

namespace clconv {

/// Equal files, defines and options give equal programs.
struct Recipe {
    std::string name;     ///< says what is special about it: in logs, errors, lists of programs
    std::string file;     ///< of the kernels
    std::string defines;  ///< "#define NAME VALUE" lines
    std::string options;  ///< for the compiler, beside the ones every program gets

    /// Equal of recipes for one program, whatever they call it.
    [[nodiscard]] std::string key() const { return file + '\n' + options + '\n' + defines; }
};

}  // namespace clconv
