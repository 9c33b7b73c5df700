// Whether a PSF of the command line is a file or words, and what tells it from others.
#pragma once

#include <string>
#include <vector>

namespace clconv {

/// A file that exists is a file; else what psf/words.h takes for words.
[[nodiscard]] bool is_words(const std::string& psf);

/// The digest of what decides a PSF's samples: a file's bytes, or the words in one spelling with the bytes of the files
/// that they name. Throws InvalidProblem, InputError.
[[nodiscard]] std::string psf_digest(const std::string& psf);

/// The files that the PSFs are read from. Throws InvalidProblem for words that make no sense, which begins with the
/// option they were given to.
[[nodiscard]] std::vector<std::string> psf_files(const std::vector<std::string>& psfs,
                                                 const std::string& option = "--psf");

}  // namespace clconv
