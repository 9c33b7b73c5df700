// SPDX-License-Identifier: Apache-2.0
// Whether a PSF of the command line is a file or words, and how it is identified.
#pragma once

#include <string>
#include <vector>

namespace clconv {

/// False if a file of that name exists; else as psf/words.h decides.
[[nodiscard]] bool is_words(const std::string& psf);

/// A digest of everything on which a PSF's samples depend: a file's bytes, or the words in one spelling with the bytes
/// of the files that they name. Throws InvalidProblem, InputError.
[[nodiscard]] std::string psf_digest(const std::string& psf);

/// The files of the PSFs. Throws InvalidProblem for words that make no sense; the message begins with their option.
[[nodiscard]] std::vector<std::string> psf_files(const std::vector<std::string>& psfs,
                                                 const std::string& option = "--psf");

}  // namespace clconv
