// SPDX-License-Identifier: Apache-2.0
#include "passes/recipes.h"

#include "base/overloaded.h"
#include "fft/lane_line.h"
#include "fft/twiddles.h"
#include "passes/defines.h"
#include "passes/light_tables.h"
#include "passes/program_names.h"
#include "passes/sizes.h"
#include "plan/variants.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace clconv {
namespace {

/// NVIDIA's cap on registers. It must be one word with "=", because a space fails the build.
std::string register_option(const LinePlan& pass, const DeviceTraits& traits)
{
    if (pass.registers == 0 || !traits.is_nvidia) return "";
    return "-cl-nv-maxrregcount=" + std::to_string(pass.registers);
}

/// The same for a step between convolutions. Its two transforms, and what it reads between them, hold as many values as
/// one, but NVIDIA's compiler would take up to twice the registers, and so half as many groups would run at once.
std::string step_register_option(const Plan& plan, const DeviceTraits& traits)
{
    constexpr int besides_values = 48, maximum = 255;
    LinePlan rows = plan.fft().rows;
    const int of_values =
        2 * rows.local.values * static_cast<int>(scalar_bytes(plan.problem.precision) / sizeof(float));
    if (rows.registers == 0) rows.registers = std::min(of_values + besides_values, maximum);
    return register_option(rows, traits);
}

/// NVIDIA's compiler chooses registers better without the attribute, and then respects a cap on them. PoCL needs it.
std::string fixed_group(const DeviceTraits& traits) { return Defines().add("FIXED_GROUP", !traits.is_nvidia).text(); }

/// For columns of an adjoint: they use the convolution's transfer. Columns of lanes get a launch's argument instead.
std::string conjugate_define(const FftPlan& fft) { return fft.conjugates ? "#define CONJUGATE 1\n" : ""; }
std::string conjugate_words(const FftPlan& fft) { return fft.conjugates ? "-conjugate" : ""; }

/// The define that makes a special program. Programs of lanes have none, because they would gain less than the noise.
std::string constant_sizes(const Plan& plan)
{
    return plan.programs == Programs::general ? "" : constant_sizes_define(sizes_of(plan));
}

std::string size_words_of(const Plan& plan) { return constant_sizes(plan).empty() ? "" : size_words(plan); }

/// "-lanes", or "-lanes16".
std::string lanes_word(int lanes) { return lanes == kLanes ? "-lanes" : fmt::format("-lanes{}", lanes); }

/// Words for lines that work-items own: any lines, or those of one sequence of radices. `lanes`: those of columns.
std::string lane_words(const LinePlan& line, Programs programs, int lanes)
{
    return lanes_word(lanes) + (programs == Programs::general ? "-any" : line_words(line.radices, line.butterflies));
}

/// Words for rows that work-groups share, in one direction.
std::string local_row_words(const FftPlan& fft, const LinePlan& lines)
{
    return line_words(lines.radices, lines.butterflies) + group_words(lines) + spectrum_words(fft.spectrum) +
           variant_words(fft, SharedProgram::rows);
}

/// TABLES_ARE_LOCAL: the tables by code (light, and shares or parts) get local memory of their own, if some is left.
std::string local_tables_define(const Plan& plan, const LinePlan& lines, const DeviceTraits& traits)
{
    const Problem& problem = plan.problem;
    if (problem.input != SampleType::u8 || !(problem.decode_srgb || problem.blend.highlights)) return "";
    const std::uint64_t line = static_cast<std::uint64_t>(lines.local.cells) * cell_bytes(lines.local);
    const std::uint64_t tables = std::uint64_t{2} * 256 * scalar_bytes(problem.precision);
    const std::uint64_t all_lines = line * lines.lines * plan.fft().channels_back(problem.channels);
    return Defines().add("TABLES_ARE_LOCAL", all_lines + tables <= traits.local_memory).text();
}

/// The rows of one direction. Each direction may have its own radices.
Defines row_defines(const Plan& plan, const LinePlan& lines, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(line_defines(lines.radices, lines.local, true))
        .add_lines(butterfly_defines(lines.butterflies, lines.radices))
        .add_lines(spectrum_defines(fft.spectrum))
        .add_lines(constant_sizes(plan))
        .add_lines(variant_defines(fft, SharedProgram::rows))
        .add_lines(local_tables_define(plan, lines, traits))
        .add("GROUP_LINES", lines.lines)
        .add_lines(fixed_group(traits));
    return defines;
}

/// Defines of a line that work-items own: its radices, or all radices of such lines.
std::string lane_line_defines(const LinePlan& line, std::span<const int> own, Programs programs, int lanes)
{
    if (programs == Programs::general) return general_lane_defines(lanes);
    return lane_defines(own, line.butterflies, lanes);
}

/// The tables of both axes of a tile in both orders, and the defines that say where each stage's begins.
Defines tile_twiddle_defines(const TilePlan& tiles)
{
    Defines defines;
    long long begin = 0;
    for (const TileTable& table : tile_tables(tiles)) {
        const std::vector<int> offsets = twiddle_offsets(table.radices);
        const std::size_t last = table.radices.size() - 1;
        for (std::size_t s = 0; s <= last; ++s)
            defines.add(fmt::format("{}{}{}", table.is_back ? 'V' : 'W', table.axis, table.is_back ? last - s : s),
                        begin + offsets[s]);
        begin += static_cast<long long>(twiddle_tables(table.radices).size());
    }
    return defines;
}

std::vector<Recipe> fft_recipes(const Plan& plan, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    if (fft.by_lanes()) return {lane_rows_recipe(plan), lane_columns_recipe(plan)};
    std::vector<Recipe> recipes;
    std::set<std::pair<int, Butterflies>> stages;
    const auto add_stages = [&](const LinePlan& pass) {
        for (const int radix : pass.radices) stages.emplace(radix, pass.butterflies);
    };
    if (fft.columns.residence == Residence::local) {
        recipes.push_back(local_columns_recipe(plan, traits));
    } else {
        recipes.push_back(global_columns_recipe(plan));
        add_stages(fft.columns);
    }
    if (fft.rows.residence == Residence::local) {
        recipes.push_back(local_rows_back_recipe(plan, traits));
        if (!rows_are_one_program(plan)) recipes.push_back(local_rows_recipe(plan, traits));
    } else {
        recipes.push_back(global_rows_recipe(plan));
        add_stages(fft.rows);
    }
    for (const auto& [radix, butterflies] : stages)
        recipes.push_back(global_stage_recipe(radix, butterflies, plan.problem.precision));
    return recipes;
}

}  // namespace

std::vector<std::complex<double>> column_twiddles(const LinePlan& columns)
{
    return columns.local.order == LineOrder::in_place ? in_place_twiddle_tables(columns.radices)
                                                      : twiddle_tables(columns.radices);
}

std::vector<TileTable> tile_tables(const TilePlan& tiles)
{
    return {{'X', false, tiles.radices_x},
            {'Y', false, tiles.radices_y},
            {'X', true, reversed(tiles.radices_x)},
            {'Y', true, reversed(tiles.radices_y)}};
}

std::vector<Recipe> recipes_of(const Plan& plan, const DeviceTraits& traits)
{
    return std::visit(Overloaded{[&](const FftPlan&) { return fft_recipes(plan, traits); },
                                 [&](const TilePlan&) { return std::vector{tiled_recipe(plan, traits)}; },
                                 [&](const DirectPlan&) { return std::vector{direct_recipe(plan, traits)}; }},
                      plan.how);
}

bool rows_are_one_program(const Plan& plan)
{
    return plan.programs == Programs::general && plan.fft().rows_back == plan.fft().rows;
}

Recipe local_rows_recipe(const Plan& plan, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    const bool both = rows_are_one_program(plan);
    Defines defines = row_defines(plan, fft.rows, traits);
    const bool nearest =
        fft.x.extended() && mode_of(plan.problem.border).is_nearest && plan.programs == Programs::special;
    defines.add_lines(input_defines(plan.problem))
        .add("COLUMN_TABLE", fft.x.extended())
        .add("NEAREST_COLUMN", nearest)
        .add("ROWS_FORWARD", 1);
    if (both) defines.add_lines(output_defines(plan.problem)).add("ROWS_INVERSE", 1);
    const std::string border_word = nearest ? "-clamp" : fft.x.extended() ? "-border" : "";
    return {(both ? "rows" : "rows-there") + local_row_words(fft, fft.rows) +
                sample_words(plan.problem, both ? SampleUse::both : SampleUse::loads) + border_word +
                size_words_of(plan),
            "rows.cl", defines.text(), register_option(fft.rows, traits)};
}

Recipe local_rows_back_recipe(const Plan& plan, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    if (rows_are_one_program(plan)) return local_rows_recipe(plan, traits);
    Defines defines = row_defines(plan, fft.rows_back, traits);
    defines.add_lines(output_defines(plan.problem)).add("ROWS_INVERSE", 1);
    return {"rows-back" + local_row_words(fft, fft.rows_back) + sample_words(plan.problem, SampleUse::stores) +
                size_words_of(plan),
            "rows.cl", defines.text(), register_option(fft.rows_back, traits)};
}

bool has_row_table(const Plan& plan)
{
    const Axis& y = plan.fft().y;
    return y.parts > 1 ? !mode_of(plan.problem.border).is_empty : y.extended();
}

Recipe local_columns_recipe(const Plan& plan, const DeviceTraits& traits)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(line_defines(fft.columns.radices, fft.columns.local, false))
        .add_lines(butterfly_defines(fft.columns.butterflies, fft.columns.radices))
        .add_lines(spectrum_defines(fft.spectrum))
        .add_lines(constant_sizes(plan))
        .add("GROUP_LINES", fft.columns.lines)
        .add("ROW_TABLE", has_row_table(plan))
        .add("IN_PARTS", fft.y.parts > 1)
        .add_lines(variant_defines(fft, SharedProgram::columns))
        .add_lines(conjugate_define(fft))
        .add("BACK_TWIDDLES", static_cast<long long>(column_twiddles(fft.columns).size()))
        .add_lines(fixed_group(traits));
    return {"columns" + line_words(fft.columns.radices, fft.columns.butterflies) + group_words(fft.columns) +
                spectrum_words(fft.spectrum) + variant_words(fft, SharedProgram::columns) + conjugate_words(fft) +
                precision_words(plan.problem.precision) + (has_row_table(plan) ? "-border" : "") +
                (fft.y.parts > 1 ? "-parts" : "") + size_words_of(plan),
            "columns.cl", defines.text(), register_option(fft.columns, traits)};
}

Recipe lane_rows_recipe(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(lane_line_defines(fft.rows, lane_row_radices(fft.rows.radices), plan.programs, kLanes))
        .add("COLUMN_LANES", fft.lanes)
        .add_lines(light_table_defines(plan.problem))
        .add_lines(input_defines(plan.problem))
        .add_lines(output_defines(plan.problem));
    return {"rows" + lane_words(fft.rows, plan.programs, fft.lanes) + sample_words(plan.problem, SampleUse::both),
            "lane_rows.cl", defines.text(), ""};
}

Recipe lane_columns_recipe(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(lane_line_defines(fft.columns, fft.columns.radices, plan.programs, fft.lanes))
        .add_lines(fft.long_columns ? "#define LONG_LINES 1\n" : "");
    return {"columns" + lane_words(fft.columns, plan.programs, fft.lanes) + (fft.long_columns ? "-long" : "") +
                precision_words(plan.problem.precision),
            "lane_columns.cl", defines.text(), ""};
}

std::string step_defines(const StepShape& shape)
{
    return std::string(shape.weighted ? "#define WEIGHTED 1\n" : "") + (shape.unbounded ? "#define UNBOUNDED 1\n" : "");
}

std::string step_words(const StepShape& shape)
{
    return std::string(shape.weighted ? "-weighted" : "") + (shape.unbounded ? "-unbounded" : "");
}

Recipe local_step_recipe(const Plan& plan, const StepShape& shape, const DeviceTraits& traits)
{
    Plan general = plan;
    general.programs = Programs::general;
    const FftPlan& fft = general.fft();
    Defines defines = row_defines(general, fft.rows, traits);
    defines.add("CHANNELS", plan.problem.channels).add_lines(step_defines(shape));
    return {
        "rows-step" + local_row_words(fft, fft.rows) + step_words(shape) + sample_words(plan.problem, SampleUse::loads),
        "rows_step.cl", defines.text(), step_register_option(plan, traits)};
}

Recipe lane_step_recipe(const Plan& plan, const StepShape& shape)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(lane_line_defines(fft.rows, lane_row_radices(fft.rows.radices), plan.programs, kLanes))
        .add("COLUMN_LANES", fft.lanes)
        .add_lines(input_defines(plan.problem))
        .add_lines(output_defines(plan.problem))
        .add_lines(step_defines(shape));
    return {"rows-step" + lane_words(fft.rows, plan.programs, fft.lanes) + step_words(shape) +
                sample_words(plan.problem, SampleUse::both),
            "lane_rows_step.cl", defines.text(), ""};
}

Recipe global_rows_recipe(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(input_defines(plan.problem))
        .add_lines(output_defines(plan.problem))
        .add_lines(spectrum_defines(fft.spectrum))
        .add_lines(constant_sizes(plan));
    return {
        "rows-ends" + spectrum_words(fft.spectrum) + sample_words(plan.problem, SampleUse::both) + size_words_of(plan),
        "global_rows.cl", defines.text(), ""};
}

Recipe global_columns_recipe(const Plan& plan)
{
    const FftPlan& fft = plan.fft();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(spectrum_defines(fft.spectrum))
        .add_lines(constant_sizes(plan))
        .add_lines(conjugate_define(fft));
    return {"columns-ends" + spectrum_words(fft.spectrum) + conjugate_words(fft) +
                precision_words(plan.problem.precision) + size_words_of(plan),
            "global_columns.cl", defines.text(), ""};
}

Recipe global_stage_recipe(int radix, Butterflies butterflies, Precision precision)
{
    Defines defines;
    defines.add_lines(precision_define(precision))
        .add("RADIX", radix)
        .add_lines(butterfly_defines(butterflies, std::array{radix}));
    return {fmt::format("stage-{}{}{}", radix, butterflies == Butterflies::direct ? "-direct" : "",
                        precision_words(precision)),
            "global_stage.cl", defines.text(), ""};
}

Recipe tiled_recipe(const Plan& plan, const DeviceTraits& traits)
{
    const TilePlan& tiles = plan.tiles();
    Defines defines;
    defines.add_lines(input_defines(plan.problem)).add_lines(output_defines(plan.problem));
    Problem in_float = plan.problem;  // because tiles compute in float
    in_float.precision = Precision::float32;
    const std::string samples = sample_words(in_float, SampleUse::both);
    if (tiles.by_lanes()) {
        defines.add_lines(lane_defines(tiles.radices_x, Butterflies::embedded, tiles.lanes))
            .add_lines(light_table_defines(plan.problem))
            .add("VECTOR_PITCH", lane_tile_pitch(tiles.size.height));
        return {"tiles" + lanes_word(tiles.lanes) + line_words(tiles.radices_x) + samples, "tiled_lanes.cl",
                defines.text(), ""};
    }
    std::vector<int> both = tiles.radices_x;
    both.insert(both.end(), tiles.radices_y.begin(), tiles.radices_y.end());
    defines.add_lines(tile_twiddle_defines(tiles).text())
        .add_lines(butterfly_defines(Butterflies::embedded, both))
        .add_lines(constant_sizes(plan))
        .add("NX", tiles.size.width)
        .add("NY", tiles.size.height)
        .add("RX0", tiles.radices_x[0])
        .add("RX1", tiles.radices_x[1])
        .add("RY0", tiles.radices_y[0])
        .add("RY1", tiles.radices_y[1])
        .add("GROUP_ITEMS", tiles.items)
        .add("ROW_PITCH", tile_pitch(tiles.size.width))
        .add("SPLIT", tiles.split)
        .add_lines(fixed_group(traits));
    return {fmt::format("tiles{}{}-{}items{}{}{}", line_words(tiles.radices_x), line_words(tiles.radices_y),
                        tiles.items, tiles.split ? "-split" : "", samples, size_words_of(plan)),
            "tiled.cl", defines.text(), ""};
}

Recipe direct_recipe(const Plan& plan, const DeviceTraits& traits)
{
    const DirectPlan& direct = plan.direct();
    Defines defines;
    defines.add_lines(precision_define(plan.problem.precision))
        .add_lines(input_defines(plan.problem))
        .add_lines(output_defines(plan.problem))
        .add_lines(constant_sizes(plan));
    const std::string samples = sample_words(plan.problem, SampleUse::both);
    if (!direct.patches) return {"direct-any" + samples + size_words_of(plan), "direct_any.cl", defines.text(), ""};
    defines.add("PSF_WIDTH", direct.room.width)
        .add("PSF_HEIGHT", direct.room.height)
        .add("ANY_PSF", direct.any_psf)
        .add("WIDE", direct.results.width)
        .add("HIGH", direct.results.height)
        .add("ITEMS_X", direct.items.width)
        .add("ITEMS_Y", direct.items.height)
        .add("TURNS_X", direct.turns.width)
        .add("TURNS_Y", direct.turns.height)
        .add("ROW_PITCH", direct.pitch)
        .add("UNROLLED", direct.unrolled)
        .add_lines(fixed_group(traits));
    return {fmt::format("direct-{}{}-results{}-items{}-turns{}{}{}{}", direct.any_psf ? "to" : "",
                        to_string(direct.room), to_string(direct.results), to_string(direct.items),
                        to_string(direct.turns), direct.unrolled ? "-unrolled" : "", samples, size_words_of(plan)),
            "direct.cl", defines.text(), ""};
}

}  // namespace clconv
