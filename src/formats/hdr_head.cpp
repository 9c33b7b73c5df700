// SPDX-License-Identifier: Apache-2.0
#include "formats/hdr_head.h"

#include "base/errors.h"
#include "formats/file_splice.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>

namespace clconv::oiio {
namespace {

/// The axes of the size, by orientation: scanlines go along the first, and pixels of a scanline along the second. Y
/// goes up, and X to the right.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAxes{{{"", ""},
                                                                              {"-Y", "+X"},
                                                                              {"-Y", "-X"},
                                                                              {"+Y", "-X"},
                                                                              {"+Y", "+X"},
                                                                              {"+X", "-Y"},
                                                                              {"-X", "-Y"},
                                                                              {"-X", "+Y"},
                                                                              {"+X", "+Y"}}};

constexpr std::array<std::string_view, 5> kMeaning{"EXPOSURE=", "COLORCORR=", "PRIMARIES=", "PIXASPECT=", "GAMMA="};

bool has_name(std::string_view line, std::string_view name)
{
    return line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=';
}

std::vector<double> numbers_in(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<double> numbers;
    for (double number = 0; stream >> number;) numbers.push_back(number);
    return numbers;
}

}  // namespace

double HdrHead::product_of(std::string_view name) const
{
    double product = 1;
    for (const std::string& line : lines)
        if (has_name(line, name))
            if (const std::vector<double> numbers = numbers_in(line.substr(name.size() + 1)); !numbers.empty())
                product *= numbers.front();
    return product;
}

std::vector<double> HdrHead::numbers_of(std::string_view name) const
{
    std::vector<double> numbers;
    for (const std::string& line : lines)
        if (has_name(line, name)) numbers = numbers_in(line.substr(name.size() + 1));
    return numbers;
}

std::optional<HdrHead> hdr_head(const std::filesystem::path& path)
{
    constexpr std::size_t max_lines = 100;  // OpenImageIO reads no more
    std::ifstream file(path, std::ios::binary);
    HdrHead head;
    if (!std::getline(file, head.magic) || !head.magic.starts_with("#?")) return std::nullopt;
    for (std::string line; std::getline(file, line) && head.lines.size() <= max_lines;) {
        if (line.empty()) return std::getline(file, head.size) ? std::optional(head) : std::nullopt;
        if (!line.starts_with("FORMAT=")) head.lines.push_back(std::move(line));
    }
    return std::nullopt;
}

int orientation_of(const HdrHead& head)
{
    std::istringstream stream(head.size);
    std::string first;
    std::string second;
    std::string count;
    stream >> first >> count >> second;
    const auto* const found = std::ranges::find(kAxes, std::pair<std::string_view, std::string_view>(first, second));
    return found == kAxes.end() || found == kAxes.begin() ? 1 : static_cast<int>(found - kAxes.begin());
}

void put_hdr_head(const std::filesystem::path& file, const HdrHead& head, int orientation, bool only_meaning)
{
    std::ifstream written(file, std::ios::binary);
    std::string line;
    std::size_t old_bytes = 0;
    while (std::getline(written, line) && !line.empty()) old_bytes += line.size() + 1;
    std::array<std::string, 4> size;
    std::getline(written, line);
    std::istringstream(line) >> size[0] >> size[1] >> size[2] >> size[3];
    if (!written || size[3].empty()) throw InputError("its head is incomplete");
    old_bytes += 1 + line.size() + 1;
    written.close();

    std::string bytes = head.magic + "\n";
    for (const std::string& kept : head.lines) {
        const bool has_meaning =
            std::ranges::any_of(kMeaning, [&](std::string_view name) { return kept.starts_with(name); });
        if (has_meaning || !only_meaning) bytes += kept + "\n";
    }
    const auto& [along, across] = kAxes.at(static_cast<std::size_t>(orientation));
    bytes += "FORMAT=32-bit_rle_rgbe\n\n";
    bytes += std::string(along) + " " + size[1] + " " + std::string(across) + " " + size[3] + "\n";
    replace_bytes(file, 0, old_bytes, bytes);
}

}  // namespace clconv::oiio
