// SPDX-License-Identifier: Apache-2.0
#include "image/format_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace clconv {

std::string formats_with(bool FileFormat::*property)
{
    std::string text;
    std::string last;
    for (const FileFormat& format : writable_file_formats()) {
        if (!(format.*property)) continue;
        if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
        last = format.title;
    }
    return text.empty() ? last : text + " and " + last;
}

std::string qualities_text()
{
    std::vector<std::string> words;
    for (const FileFormat& format : writable_file_formats())
        if (format.default_quality > 0) words.push_back(fmt::format("{} {}", format.title, format.default_quality));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string codecs_text(const FileFormat& format)
{
    std::vector<std::string> words;
    for (const Codec& codec : format.codecs)
        words.push_back(codec.has_levels() ? fmt::format("{}[:{}-{}]", codec.name, codec.least_level, codec.most_level)
                                           : std::string(codec.name));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string codecs_text()
{
    std::vector<std::string> words;
    for (const FileFormat& format : writable_file_formats())
        if (!format.codecs.empty()) words.push_back(fmt::format("{} {}", format.title, codecs_text(format)));
    return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace clconv
