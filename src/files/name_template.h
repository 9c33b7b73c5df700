// SPDX-License-Identifier: Apache-2.0
// Output names made of fields: `--name "{stem}_{psf}{ext}"`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

class NameTemplate {
public:
    struct Values {
        std::string stem;
        std::string ext;  ///< with its dot
        std::string psf;
        std::size_t index = 0;
        int part = 0;
    };

    /// Fields: {stem} {ext} {psf} {index} {part}. Throws InvalidProblem for an unknown field, a brace without its
    /// partner, or a name that would lead out of the output folder.
    explicit NameTemplate(std::string_view text);

    [[nodiscard]] bool has(std::string_view field) const;

    /// A relative path: a template with slashes names folders below the output folder.
    [[nodiscard]] std::filesystem::path filled(const Values& values) const;

private:
    struct Piece {
        bool is_field = false;
        std::string text;  ///< the field's name, or the text between fields
    };
    std::vector<Piece> pieces_;
};

}  // namespace clconv
