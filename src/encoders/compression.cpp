// SPDX-License-Identifier: Apache-2.0
#include "encoders/compression.h"

#include "base/errors.h"
#include "base/parse_number.h"
#include "codecs/file_formats.h"
#include "image/format_help.h"

#include <algorithm>

namespace clconv {
namespace {

std::string text_of(const Compression& compression)
{
    return compression.level ? compression.name + ":" + std::to_string(*compression.level) : compression.name;
}

bool fits(const Codec& codec, const Compression& compression)
{
    if (codec.name != compression.name) return false;
    if (!compression.level) return true;
    return codec.has_levels() && codec.min_level <= *compression.level && *compression.level <= codec.max_level;
}

}  // namespace

Compression parse_compression(std::string_view text)
{
    const std::size_t colon = text.find(':');
    Compression compression{std::string(text.substr(0, colon)), {}};
    if (colon == std::string_view::npos) return compression;
    compression.level = parse_number<int>(text.substr(colon + 1));
    if (!compression.level)
        throw InvalidProblem("--compression " + std::string(text) + ": a level is a whole number, as in zip:6");
    return compression;
}

void check_compression(const std::filesystem::path& path, const Compression& compression)
{
    const FileFormat& format = file_format_of(path);
    if (std::ranges::any_of(format.codecs, [&](const Codec& codec) { return fits(codec, compression); })) return;
    const std::string found = "--compression " + text_of(compression) + ": not for " + path.string() + "; ";
    const std::string name(format.name);
    if (!format.codecs.empty()) throw InvalidProblem(found + name + " files can have " + codecs_text(format));
    throw InvalidProblem(found + name + " files leave no choice" +
                         (format.default_quality > 0 ? "; --quality says how much may be lost" : ""));
}

}  // namespace clconv
