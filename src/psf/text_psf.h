// PSFs written as plain text: one row of numbers a line, separated by blanks or commas; # starts a comment.
#pragma once

#include "psf/psf.h"

#include <string>
#include <string_view>

namespace clconv {

/// Reads one channel. `name` goes into messages. The origin is left at (0, 0), nothing is normalised.
/// Throws InputError naming the line: no numbers at all, a word that is no finite number, rows of unequal length.
[[nodiscard]] Psf parse_text_psf(std::string_view text, std::string_view name);

/// The way back, in digits that read as the same numbers. `comment` becomes the first line.
/// Throws InvalidProblem for PSFs of several channels.
[[nodiscard]] std::string text_of_psf(const Psf& psf, std::string_view comment);

}  // namespace clconv
