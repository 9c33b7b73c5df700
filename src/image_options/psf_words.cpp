// SPDX-License-Identifier: Apache-2.0
#include "image_options/psf_words.h"

#include "base/errors.h"
#include "files/digest.h"
#include "psf/words.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace clconv {

namespace {

/// Change this when a formula changes: outputs of the old formula are then made again.
constexpr const char* kFormulas = "PSF in words 1";

PsfWords parsed(const std::string& psf, const std::string& option)
{
    try {
        return parse_psf_words(psf);
    } catch (const InvalidProblem& error) {
        throw InvalidProblem(fmt::format("{} {}", option, error.what()));
    }
}

}  // namespace

bool is_words(const std::string& psf)
{
    std::error_code failure;
    return !std::filesystem::exists(psf, failure) && is_psf_in_words(psf);
}

std::string psf_digest(const std::string& psf)
{
    if (!is_words(psf)) return digest_of_file(psf);
    const PsfWords words = parsed(psf, "--psf");
    Digester digest;
    digest.add_text(kFormulas);
    digest.add_text(words.canonical());
    for (const std::string& file : words.files()) digest.add_text(digest_of_file(file));
    return digest.hex();
}

std::vector<std::string> psf_files(const std::vector<std::string>& psfs, const std::string& option)
{
    std::vector<std::string> files;
    for (const std::string& psf : psfs) {
        if (!is_words(psf))
            files.push_back(psf);
        else
            for (std::string& file : parsed(psf, option).files()) files.push_back(std::move(file));
    }
    return files;
}

}  // namespace clconv
