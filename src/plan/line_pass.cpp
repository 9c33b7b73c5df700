// SPDX-License-Identifier: Apache-2.0
#include "plan/line_pass.h"

#include "fft/factorize.h"
#include "fft/lane_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clconv {
namespace {

const LinePlan& line_plan(PassKind kind, const FftPlan& fft)
{
    switch (kind) {
        case PassKind::rows: return fft.rows;
        case PassKind::columns: return fft.columns;
        case PassKind::rows_back: break;
    }
    return fft.rows_back;
}

bool is_plain(const LinePlan& line)
{
    return line.registers == 0 && line.butterflies == Butterflies::embedded && line.local.order == LineOrder::autosort;
}

}  // namespace

LinePass line_pass(PassKind kind, const Problem& problem, const FftPlan& fft)
{
    const LinePlan& line = line_plan(kind, fft);
    LinePass pass;
    pass.kind = kind;
    pass.radices = line.radices;
    pass.lanes = kind == PassKind::columns || !fft.by_lanes() ? fft.lanes : kLanes;
    if (!fft.by_lanes()) {
        pass.items = line.local.items;
        pass.lines = line.lines;
        if (kind == PassKind::rows_back) pass.channels = fft.channels_back(problem.channels);
        pass.exchange = line.local.exchange;
    }
    pass.bundle_columns = fft.spectrum.bundle_columns;
    pass.rows_together = fft.spectrum.rows_together;
    pass.precision = problem.precision;
    if (kind == PassKind::columns) return pass;
    pass.samples = kind == PassKind::rows ? problem.input : problem.output;
    pass.layout = layout_of_rows(problem);
    return pass;
}

double lines_of(PassKind kind, const Problem& problem, int row_length)
{
    const double channels = problem.channels;
    switch (kind) {
        case PassKind::rows: return channels * problem.image.height / 2;
        case PassKind::columns: return channels * (row_length / 2.0 + 1);
        case PassKind::rows_back: break;
    }
    return channels * output_extent(problem).height / 2;
}

int filled_of(PassKind kind, const Problem& problem)
{
    switch (kind) {
        case PassKind::rows: return problem.image.width;
        case PassKind::columns: return filled_column(along_y(problem));
        case PassKind::rows_back: break;
    }
    return output_extent(problem).width;
}

int filled_column(const AxisProblem& along)
{
    if (along.parts == 1) return (along.count + output_count(along)) / 2;
    const Axis part = padded_axis(along);
    return (part.loaded + part.part) / 2;
}

bool has_whole_lines(const FftPlan& fft)
{
    const auto is_whole = [](const LinePlan& line) { return line.residence == Residence::local; };
    return is_whole(fft.rows) && is_whole(fft.columns) && is_whole(fft.rows_back) && fft.passes == Passes::fused &&
           fft.packing == Packing::rows && fft.product == Product::split && !fft.conjugates;
}

bool has_plain_passes(const FftPlan& fft)
{
    return has_whole_lines(fft) && is_plain(fft.rows) && is_plain(fft.columns) && is_plain(fft.rows_back);
}

std::string to_string(const LinePass& pass)
{
    return fmt::format("{} {}={}", name_of(pass.kind), line_length(pass.radices), fmt::join(pass.radices, "."));
}

}  // namespace clconv
