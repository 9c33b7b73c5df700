// SPDX-License-Identifier: Apache-2.0
#include "engine/menu.h"

#include "base/errors.h"
#include "conv/axis.h"
#include "plan/gpu_grouping.h"
#include "plan/gpu_menu.h"
#include "plan/step_lines.h"

#include <algorithm>
#include <span>

namespace clconv {
namespace {

/// The programs of an image of this size; none if there is no such plan.
std::vector<Recipe> programs_of(Problem problem, Extent image, const Decisions& decisions, const DeviceTraits& traits)
{
    problem.image = image;
    try {
        return recipes_of(make_plan(problem, traits, decisions), traits);
    } catch (const Error&) {  // the PSF fits no tile, or the image has no valid position
        return {};
    }
}

/// The largest image along an axis whose padded line has this length; at least 1.
int image_for(const AxisProblem& axis, int length)
{
    AxisProblem unit = axis;
    unit.count = std::max(axis.psf, 1);
    return std::max(1, length - (padded_axis(unit).length - unit.count));
}

std::vector<Extent> images_of_the_menu(const Problem& like)
{
    std::vector<Extent> images;
    const std::span<const int> of_any = gpu_menu_lengths(false);
    std::vector<int> rows(of_any.begin(), of_any.end());
    if (like.alternates)
        for (const int length : step_lengths()) rows.push_back(length);
    const std::span<const int> columns = gpu_menu_lengths(true);
    for (std::size_t i = 0; i < std::max(rows.size(), columns.size()); ++i)
        images.push_back({image_for(along_x(like), rows[std::min(i, rows.size() - 1)]),
                          image_for(along_y(like), columns[std::min(i, columns.size() - 1)])});
    return images;
}

/// The programs of columns in parts, which measured passes may advise.
std::vector<Recipe> programs_of_parts(const Problem& like, const DeviceTraits& traits)
{
    std::vector<Recipe> programs;
    if (!no_parts_because(like, {}).empty()) return programs;
    constexpr int results = 2 * kPartStep;  // the least that has two parts
    const Extent image{like.psf.width, like.mode == Mode::valid ? like.psf.height - 1 + results : results};
    const auto row_lengths = gpu_menu_lengths(false);
    const auto row = std::ranges::lower_bound(row_lengths, 3 * like.psf.width);
    if (row == row_lengths.end()) return programs;
    const auto rows = gpu_menu_line(*row, false, like.precision, traits);
    Decisions general;
    general.method = Method::fft;
    general.programs = Programs::general;
    for (const int length : gpu_menu_part_lengths())
        if (const auto columns = gpu_menu_line(length, true, like.precision, traits); rows && columns)
            add_programs(programs, programs_of(like, image, menu_decisions(*rows, *columns, general, 2), traits));
    return programs;
}

}  // namespace

std::vector<Recipe> menu_programs(const Problem& like, const DeviceTraits& traits)
{
    Problem large = like;
    large.image = {std::max(1024, like.psf.width), std::max(1024, like.psf.height)};
    check(large);
    std::vector<Recipe> programs;
    // Large images use the method that is best for the PSF; smaller ones may use another.
    for (const int side : {2048, 1024, 512, 256, 128})
        add_programs(programs, programs_of(like, {side, side}, {}, traits));
    Decisions by_fft;
    by_fft.method = Method::fft;
    if (traits.is_cpu) {
        add_programs(programs, programs_of(like, {1024, 1024}, by_fft, traits));
        return programs;
    }
    for (const Extent image : images_of_the_menu(like))
        add_programs(programs, programs_of(like, image, by_fft, traits));
    add_programs(programs, programs_of_parts(like, traits));
    return programs;
}

std::vector<Recipe> menu_programs(const Problem& whole, const Psf& psf, const Channels& channels,
                                  const ConvolveSettings& settings, const DeviceTraits& traits)
{
    const WorkNeeds needs = work_needs(whole, psf, channels, settings, traits);
    std::vector<Recipe> programs = menu_programs(needs.planned, traits);
    add_programs(programs, needs.programs);
    return programs;
}

void add_programs(std::vector<Recipe>& programs, const std::vector<Recipe>& more)
{
    for (const Recipe& recipe : more) {
        const bool is_known = std::any_of(programs.begin(), programs.end(),
                                          [&](const Recipe& known) { return known.key() == recipe.key(); });
        if (!is_known) programs.push_back(recipe);
    }
}

}  // namespace clconv
