// SPDX-License-Identifier: Apache-2.0
#include "plan/gpu_menu.h"

#include "plan/gpu_grouping.h"
#include "plan/step_lines.h"

#include <algorithm>

namespace clconv {
namespace {

// Found by dynamic programming: they minimise, over needed lengths of 126 to 6063, the sum of the model's time over
// that of the best line, plus a hundredth for each rung. Those below 200 were chosen by hand.
constexpr int kRowLengths[] = {64,   96,   128,  160,  216,  288,  384,   504,   672,   720,  800,
                               896,  1000, 1080, 1152, 1280, 1400, 1568,  1728,  1920,  2048, 2160,
                               2304, 2560, 2744, 3072, 3240, 3600, 4000,  4480,  4800,  5184, 5760,
                               6272, 6912, 7680, 8192, 8640, 9216, 10240, 10752, 11520, 12000};
constexpr int kColumnLengths[] = {64,   96,   128,  160,  216,  288,  384,  504,   648,   720,  800,
                                  864,  960,  1056, 1152, 1280, 1400, 1536, 1600,  1728,  1872, 2048,
                                  2160, 2304, 2560, 2800, 3136, 3456, 3744, 4096,  4320,  4800, 5184,
                                  5760, 6400, 6912, 7200, 8000, 8640, 9600, 10368, 11520, 12000};

std::optional<MenuLine> line_for(const AxisProblem& axis, bool columns, Precision precision, const DeviceTraits& traits)
{
    const std::span<const int> lengths = gpu_menu_lengths(columns);
    const auto length = std::lower_bound(lengths.begin(), lengths.end(), gpu_menu_minimum(axis, columns));
    if (length == lengths.end()) return std::nullopt;
    return gpu_menu_line(*length, columns, precision, traits);
}

}  // namespace

std::span<const int> gpu_menu_lengths(bool columns)
{
    if (columns) return kColumnLengths;
    return kRowLengths;
}

std::span<const int> gpu_menu_part_lengths()
{
    // Longer parts gain little, and each is one more program.
    constexpr int longest = 2560;
    const auto first = std::ranges::lower_bound(kColumnLengths, kMinPart);
    return {first, std::ranges::upper_bound(kColumnLengths, longest)};
}

int gpu_menu_minimum(const AxisProblem& axis, bool columns)
{
    const std::span<const int> lengths = gpu_menu_lengths(columns);
    const auto circular = circular_axis(axis);
    const bool is_natural = circular && std::find(lengths.begin(), lengths.end(), circular->length) != lengths.end();
    return is_natural ? circular->length : padded_axis(axis).length;
}

Decisions menu_decisions(const MenuLine& rows, const MenuLine& columns, const Decisions& requested, int parts)
{
    Decisions decisions = requested;
    if (parts > 1) decisions.column_parts = parts;
    decisions.radix_x.sequence = rows.radices;
    decisions.radix_y.sequence = columns.radices;
    decisions.rows.items = rows.items;
    decisions.rows.lines = rows.lines;
    decisions.columns.items = columns.items;
    decisions.columns.lines = columns.lines;
    decisions.bundle_columns = kMenuBundleColumns;
    return decisions;
}

std::optional<Decisions> gpu_menu_decisions(const Problem& problem, const DeviceTraits& traits,
                                            const Decisions& requested)
{
    const auto step = step_rows(problem, traits);
    const auto rows = step ? std::optional(MenuLine{step->radices, step->items})
                           : line_for(along_x(problem), false, problem.precision, traits);
    const auto columns = line_for(along_y(problem), true, problem.precision, traits);
    if (!rows || !columns) return std::nullopt;
    return menu_decisions(*rows, *columns, requested);
}

}  // namespace clconv
