// SPDX-License-Identifier: Apache-2.0
// Reads single files in a separate process, for commands that need only a few of them. A decoder that crashes, hangs or
// takes all memory is then an ordinary error.
#pragma once

#include "base/child_process.h"
#include "base/light.h"
#include "base/timings.h"
#include "codecs/psf_file.h"
#include "files/part_choice.h"
#include "image/decode_rules.h"
#include "image/image.h"
#include "passes/blending.h"
#include "psf/psf.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace clconv {

/// The limits for one file: half of the available memory, and this time.
inline constexpr Seconds kReadingTime{300};

/// A function that runs in a separate process, while this one goes on.
class IsolatedCall {
public:
    /// `file`: the file that it reads, for messages.
    IsolatedCall(std::filesystem::path file, const std::function<std::string()>& function);

    /// Waits for its result, once. Rethrows InputError and InvalidProblem. Throws InputError if the process dies, or
    /// takes too much time from now on or too much memory.
    [[nodiscard]] std::string result(Seconds max_time = kReadingTime);

private:
    std::filesystem::path file_;
    ChildProcess child_;
};

/// Runs `function` in a separate process and returns its result, like IsolatedCall.
[[nodiscard]] std::string isolated(const std::filesystem::path& file, const std::function<std::string()>& function,
                                   Seconds max_time = kReadingTime);

/// Like read_psf_file(). Text is read in this process, because it needs no library.
[[nodiscard]] PsfFile isolated_psf(const std::filesystem::path& path, const PsfReading& reading = {});

/// The mean of an image's colours, [y][x], as floats: a mask. Throws InputError.
[[nodiscard]] Mask isolated_mask(const std::filesystem::path& path);

/// Like read_header(), without metadata.
[[nodiscard]] Image isolated_header(const std::filesystem::path& path, Light light = Light::stored,
                                    const DecodeRules& rules = {});

/// A part of a file.
struct PartHeader {
    int part = 0;
    Image image;
    bool is_read_by_rows = false;  ///< see codecs/image_file.h
};

/// The chosen parts of a file, each like isolated_header(). A pattern of --channels must match in one of them.
[[nodiscard]] std::vector<PartHeader> isolated_headers(const std::filesystem::path& path, Light light,
                                                       const DecodeRules& rules, const PartChoice& parts);

/// Like count_parts().
[[nodiscard]] int isolated_count_of_parts(const std::filesystem::path& path, const DecodeRules& rules = {});

}  // namespace clconv
