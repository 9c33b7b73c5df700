// SPDX-License-Identifier: Apache-2.0
#include "engine/menu.h"

#include "base/errors.h"
#include "conv/axis.h"
#include "plan/gpu_menu.h"
#include "plan/step_lines.h"

#include <algorithm>
#include <span>

namespace clconv {
namespace {

/// The programs of an image of this size; none if there is no such plan.
std::vector<Recipe> programs_of(Problem problem, Extent image, std::optional<Method> method, const DeviceTraits& traits)
{
    problem.image = image;
    Decisions decisions;
    decisions.method = method;
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

}  // namespace

std::vector<Recipe> menu_programs(const Problem& like, const DeviceTraits& traits)
{
    std::vector<Recipe> programs;
    // Large images use the method that is best for the PSF; smaller ones may use another.
    for (const int side : {2048, 1024, 512, 256, 128})
        add_programs(programs, programs_of(like, {side, side}, std::nullopt, traits));
    if (traits.is_cpu) {
        add_programs(programs, programs_of(like, {1024, 1024}, Method::fft, traits));
        return programs;
    }
    for (const Extent image : images_of_the_menu(like))
        add_programs(programs, programs_of(like, image, Method::fft, traits));
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
