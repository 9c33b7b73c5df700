// Single files read in a process of their own, for commands that need little of them: a decoder that crashes, hangs or
// takes all memory is an error like others.
#pragma once

#include "base/light.h"
#include "base/timings.h"
#include "engine/blending.h"
#include "image/decode_rules.h"
#include "image/image.h"
#include "psf/psf.h"

#include <filesystem>
#include <functional>
#include <string>

namespace clconv {

/// What one file may cost: half of the memory that is available, and so much time.
inline constexpr Seconds kReadingTime{300};

/// Returns what `function` returns in a process of its own. `file`: what it reads, for messages. Rethrows InputError
/// and InvalidProblem; throws InputError if the process dies or takes too much time or memory.
[[nodiscard]] std::string isolated(const std::filesystem::path& file, const std::function<std::string()>& function,
                                   Seconds most_time = kReadingTime);

/// As read_psf(). Text is read here: no library is needed for it.
[[nodiscard]] Psf isolated_psf(const std::filesystem::path& path, Light light = Light::stored);

/// The mean of an image's colours, [y][x], as floats: a mask. Throws InputError.
[[nodiscard]] Mask isolated_mask(const std::filesystem::path& path);

/// Throws InputError if nothing of the image in `path` is convolved.
void check_has_channels(const std::filesystem::path& path, const Image& image);

/// As read_header(), but without metadata.
[[nodiscard]] Image isolated_header(const std::filesystem::path& path, Light light = Light::stored,
                                    const DecodeRules& rules = {});

/// As count_parts().
[[nodiscard]] int isolated_count_of_parts(const std::filesystem::path& path, const DecodeRules& rules = {});

}  // namespace clconv
