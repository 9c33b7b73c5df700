// SPDX-License-Identifier: Apache-2.0
// PSFs written as plain text: one row of numbers a line, separated by blanks or commas; # starts a comment.
#pragma once

#include "psf/psf.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace clconv {

/// Whether the name has an extension of text, in any case: .txt, .psf, .csv or .dat.
[[nodiscard]] bool has_text_extension(const std::filesystem::path& path);

/// Reads one channel. `name` is for messages. The origin is (0, 0), and nothing is normalised. Throws InputError with
/// the line: no numbers at all, a word that is not a finite number, rows of unequal length.
[[nodiscard]] Psf parse_text_psf(std::string_view text, std::string_view name);

/// The inverse, with enough digits to read the same numbers. `comment` becomes the first line. Throws InvalidProblem
/// for PSFs of several channels.
[[nodiscard]] std::string text_of_psf(const Psf& psf, std::string_view comment);

}  // namespace clconv
