// SPDX-License-Identifier: Apache-2.0
#include "image/format_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace clconv {

namespace {

/// The titles of the formats of which `is_meant` is true: "FITS, PNG and TIFF".
template <typename Predicate>
std::string formats_where(const Predicate& is_meant)
{
    std::string text;
    std::string last;
    for (const FileFormat& format : writable_file_formats()) {
        if (!is_meant(format)) continue;
        if (!last.empty()) text += (text.empty() ? "" : ", ") + last;
        last = format.title;
    }
    return text.empty() ? last : text + " and " + last;
}

}  // namespace

std::string formats_with(bool FileFormat::*property)
{
    return formats_where([&](const FileFormat& format) { return format.*property; });
}

std::string types_text()
{
    const auto holding = [](FileType type) {
        return formats_where([type](const FileFormat& format) { return format.holds(type); });
    };
    return fmt::format("u16: {}; half: {}; float: {}; i8, i16, i32, u32, double: {}", holding(FileType::u16),
                       holding(FileType::half), holding(FileType::float32), holding(FileType::u32));
}

std::string limits_text()
{
    const auto storing = [](AlphaStorage alpha) {
        return formats_where([alpha](const FileFormat& format) { return format.alpha == alpha; });
    };
    return fmt::format("no alpha: {}; colours multiplied by alpha: {}; always with a loss: {}; a palette: {}",
                       storing(AlphaStorage::none), storing(AlphaStorage::associated),
                       formats_with(&FileFormat::is_always_lossy), formats_with(&FileFormat::is_palette));
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
        words.push_back(codec.has_levels() ? fmt::format("{}[:{}-{}]", codec.name, codec.min_level, codec.max_level)
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
