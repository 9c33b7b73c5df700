// SPDX-License-Identifier: Apache-2.0
#include "formats/pnm_header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

namespace clconv::pnm {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

void skip_spaces_and_comments(std::string_view& text)
{
    while (!text.empty() && (is_space(text.front()) || text.front() == '#')) {
        if (text.front() == '#') text.remove_prefix(std::min(text.find('\n'), text.size() - 1));
        text.remove_prefix(1);
    }
}

}  // namespace

bool begins_like_pnm(std::string_view bytes)
{
    return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
           (is_space(bytes[2]) || bytes[2] == '#');
}

bool is_pnm(const std::filesystem::path& path)
{
    std::array<char, 3> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return begins_like_pnm({head.data(), head.size()});
}

std::optional<int> take_digit(std::string_view& text)
{
    skip_spaces_and_comments(text);
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    const int value = text.front() - '0';
    text.remove_prefix(1);
    return value;
}

std::optional<int> take_number(std::string_view& text)
{
    constexpr int limit = 1'000'000'000;
    std::optional<int> first = take_digit(text);
    std::int64_t value = first.value_or(0);
    for (; !text.empty() && is_digit(text.front()) && value < limit; text.remove_prefix(1))
        value = 10 * value + (text.front() - '0');
    return first && value < limit ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::optional<Head> head_of(std::string_view bytes)
{
    constexpr int largest_maxval = 65535;
    if (!begins_like_pnm(bytes)) return std::nullopt;
    const char kind = bytes[1];
    Head head;
    head.is_bitmap = kind == '1' || kind == '4';
    head.is_binary = kind >= '4';
    head.channels = kind == '3' || kind == '6' ? 3 : 1;
    std::string_view rest = bytes.substr(2);
    const std::optional<int> width = take_number(rest);
    const std::optional<int> height = take_number(rest);
    const std::optional<int> maxval = head.is_bitmap ? std::optional(1) : take_number(rest);
    if (!width || !height || !maxval || *maxval < 1 || *maxval > largest_maxval || rest.empty()) return std::nullopt;
    head.width = *width;
    head.height = *height;
    head.maxval = *maxval;
    head.raster = bytes.size() - rest.size() + 1;  // one character separates them
    return head;
}

}  // namespace clconv::pnm
