// SPDX-License-Identifier: Apache-2.0
#include "passes/light_tables.h"

#include "base/light.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>

namespace clconv {
namespace {

constexpr int kOctaves = 13;
constexpr int kParts = 128;  ///< of an octave

/// The smallest float whose code is `code`, as bits: light is rounded to the nearest code.
std::uint32_t first_bits(int code)
{
    const double edge = srgb_decoded((code - 0.5) / 255);
    auto first = static_cast<float>(edge);
    if (first < edge) first = std::nextafterf(first, 2.0F);
    return std::bit_cast<std::uint32_t>(first);
}

std::string lights_define(const Problem& problem)
{
    std::vector<double> lights;
    for (int code = 0; code < 256; ++code) lights.push_back(srgb_decoded(code / 255.0));
    const std::string_view literal = problem.precision == Precision::float64 ? "" : "f";
    return fmt::format("#define SRGB_LIGHTS {:.17e}{}\n", fmt::join(lights, fmt::format("{}, ", literal)), literal);
}

bool decodes_u8(const Problem& problem) { return problem.decode_srgb && problem.input == SampleType::u8; }

}  // namespace

std::vector<std::uint32_t> srgb_code_table()
{
    std::vector<std::uint32_t> table;
    int code = 0;
    std::uint32_t next = first_bits(1);
    const std::uint32_t begin = (127U - kOctaves) * kParts;
    for (std::uint32_t part = begin; part < begin + kOctaves * kParts; ++part) {
        const std::uint32_t first = part << 16U;
        const bool changes = code < 255 && next < first + 0x10000U;
        table.push_back((static_cast<std::uint32_t>(code) << 17U) | (changes ? next - first : 0x10000U));
        if (changes && ++code < 255) next = first_bits(code + 1);
    }
    return table;
}

std::string light_table_defines(const Problem& problem)
{
    std::string text;
    if (decodes_u8(problem)) text += lights_define(problem);
    if (problem.encode_srgb && problem.output == SampleType::u8 && problem.precision != Precision::float64)
        text += fmt::format("#define SRGB_CODES {}\n", fmt::join(srgb_code_table(), ", "));
    return text;
}

std::vector<double> tables_by_code(const Problem& problem, const std::optional<Highlights>& highlights)
{
    if (problem.input != SampleType::u8) return {};
    std::vector<double> lights, shares, parts;
    for (int code = 0; code < 256; ++code) {
        const double light = problem.decode_srgb ? srgb_decoded(code / 255.0) : code / 255.0;
        if (problem.decode_srgb) lights.push_back(light);
        if (!highlights) continue;
        shares.push_back(share_of_bright(*highlights, light));
        parts.push_back(shares.back() * boost_of(*highlights, light));
    }
    lights.insert(lights.end(), shares.begin(), shares.end());
    lights.insert(lights.end(), parts.begin(), parts.end());
    return lights;
}

}  // namespace clconv
