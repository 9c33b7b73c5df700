// SPDX-License-Identifier: Apache-2.0
// PSFs in words, which may replace a PSF file.
//
// WORDS     TERM + TERM + ...          gaussian:2*0.9+glow:400*0.1
//     TERM      KIND:ARGUMENTS*WEIGHT      WEIGHT is 1 if left out; --normalize sum makes all terms together 1
//     ARGUMENTS VALUE,NAME=VALUE,...       only the kind's first argument may omit its name
//
// Values in double quotes may contain anything except double quotes: aperture="dust+scratches, 2.png".
#pragma once

#include "psf/kinds.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

struct PsfTerm {
    const PsfKind* kind = nullptr;
    KindArguments arguments;  ///< except size and share
    double weight = 1;
    std::optional<int> size;
    std::optional<double> share;
    std::string typed;  ///< the given values, in one spelling: "2.5,angle=30"
};

struct PsfWords {
    std::vector<PsfTerm> terms;  ///< at least one

    /// Everything on which the samples depend, except files' contents: kinds with all their arguments, including
    /// default ones. Equal PSFs have equal texts, however they are typed.
    [[nodiscard]] std::string canonical() const;
    /// The words as a part of a file's name: only letters, digits, and . - + _. Different words have different names.
    [[nodiscard]] std::string name() const;
    /// The files that arguments name.
    [[nodiscard]] std::vector<std::string> files() const;
};

/// Whether `text` is a PSF in words, and not the name of a file: it begins with a kind, or with letters and a colon, or
/// it is a single word without a dot or slash. A file of that name takes precedence, so check for it first.
[[nodiscard]] bool is_psf_in_words(std::string_view text);

/// Throws InvalidProblem. Its message begins with the term, and says what is wrong and what is allowed.
[[nodiscard]] PsfWords parse_psf_words(std::string_view text);

}  // namespace clconv
