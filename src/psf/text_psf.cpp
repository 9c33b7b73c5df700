// SPDX-License-Identifier: Apache-2.0
#include "psf/text_psf.h"

#include "base/errors.h"
#include "base/extension.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace clconv {
namespace {

constexpr std::string_view kSeparators = " \t,\r\v\f";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

[[noreturn]] void fail_at_line(std::string_view name, int line, const std::string& why)
{
    throw InputError(std::string(name) + ":" + std::to_string(line) + ": " + why);
}

/// from_chars accepts no plus sign, but people and spreadsheets write one.
std::string_view without_plus(std::string_view word)
{
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';
    return plus ? word.substr(1) : word;
}

double parse_weight(std::string_view word, std::string_view name, int line)
{
    const std::string_view digits = without_plus(word);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = end == digits.data() + digits.size();
    // Weights that are too small for a double count as 0. from_chars reports them like too large ones, so the text
    // decides.
    if (error == std::errc::result_out_of_range && whole && digits.find_first_of("eE") != std::string_view::npos &&
        digits[digits.find_first_of("eE") + 1] == '-')
        return 0;
    if (error != std::errc() || !whole || !std::isfinite(value))
        fail_at_line(name, line, fmt::format("'{}' is not a finite number; a PSF is rows of numbers", word));
    return value;
}

/// Appends the line's numbers to `weights` and returns their count.
int parse_line(std::string_view text, std::string_view name, int line, std::vector<double>& weights)
{
    text = text.substr(0, text.find('#'));
    int count = 0;
    for (std::size_t start = text.find_first_not_of(kSeparators); start != std::string_view::npos;
         start = text.find_first_not_of(kSeparators)) {
        text.remove_prefix(start);
        const std::string_view word = text.substr(0, text.find_first_of(kSeparators));
        weights.push_back(parse_weight(word, name, line));
        text.remove_prefix(word.size());
        ++count;
    }
    return count;
}

}  // namespace

bool has_text_extension(const std::filesystem::path& path)
{
    constexpr std::array<std::string_view, 4> texts{"txt", "psf", "csv", "dat"};
    return std::ranges::find(texts, extension_of(path)) != texts.end();
}

Psf parse_text_psf(std::string_view text, std::string_view name)
{
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    Psf psf;
    psf.name = name;
    for (int line = 1; !text.empty(); ++line) {
        const std::string_view row = text.substr(0, text.find('\n'));
        const int count = parse_line(row, name, line, psf.weights);
        text.remove_prefix(row.size() < text.size() ? row.size() + 1 : row.size());
        if (count == 0) continue;
        if (psf.extent.height > 0 && count != psf.extent.width)
            fail_at_line(name, line,
                         "has " + std::to_string(count) + " numbers, but the rows above have " +
                             std::to_string(psf.extent.width) + "; all rows must be equally long");
        psf.extent = {count, psf.extent.height + 1};
    }
    if (psf.weights.empty()) throw InputError(std::string(name) + ": holds no numbers; a PSF is rows of numbers");
    return psf;
}

std::string text_of_psf(const Psf& psf, std::string_view comment)
{
    if (psf.channels != 1)
        throw InvalidProblem(
            fmt::format("PSF {}: has {} channels, and text holds one; write an image such as exr, or "
                        "use --psf-gray",
                        psf.name, psf.channels));
    std::string text = fmt::format("# {}\n", comment);
    for (int y = 0; y < psf.extent.height; ++y)
        for (int x = 0; x < psf.extent.width; ++x)
            text += fmt::format("{}{}", psf.at(x, y, 0), x + 1 < psf.extent.width ? ' ' : '\n');
    return text;
}

}  // namespace clconv
