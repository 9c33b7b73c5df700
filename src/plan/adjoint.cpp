// SPDX-License-Identifier: Apache-2.0
#include "plan/adjoint.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "plan/plan_lanes.h"

namespace clconv {
namespace {

void check_linear(const Plan& plan)
{
    const Problem& p = plan.problem;
    const auto refuse = [&](const char* what) {
        throw InvalidProblem(std::string("no adjoint of ") + token(p) + ": " + what);
    };
    if (p.input != SampleType::float32 || p.output != SampleType::float32) refuse("samples must be floats");
    if (p.decode_srgb || p.encode_srgb) refuse("codes are not linear in light");
    if (p.blend != BlendShape{}) refuse("results are blended");
    if (p.precision == Precision::half) refuse("half has too little range; use float or double");
    if (plan.is_fft() && plan.fft().joint()) refuse("the product joins channels; use product=split");
    if (plan.is_fft() && plan.fft().y.parts > 1) refuse("columns are in parts; use column-parts=1");
}

Axis transposed(const Axis& axis)
{
    Axis back = axis;
    back.count = back.loaded = axis.output;
    back.first_source = 0;
    back.output = axis.loaded;
    back.is_ring = false;
    return back;
}

/// The same lines, with data where the results were.
AdjointPlan by_the_same_lines(const Plan& plan)
{
    AdjointPlan adjoint{plan, plan.problem.image, source_table(plan.fft().x, plan.problem.border),
                        source_table(plan.fft().y, plan.problem.border)};
    Plan& back = adjoint.plan;
    auto& fft = std::get<FftPlan>(back.how);
    fft.x = transposed(plan.fft().x);
    fft.y = transposed(plan.fft().y);
    fft.conjugates = true;
    const int rows = max_rows(fft.y);
    fft.spectrum.packs = fft.by_lanes() ? lane_packs(rows) : ceil_div(rows, fft.spectrum.rows_together);
    back.output = {fft.x.output, fft.y.output};
    adjoint.columns.resize(static_cast<std::size_t>(back.output.width));
    adjoint.rows.resize(static_cast<std::size_t>(back.output.height));
    back.problem.image = plan.output;
    back.problem.border = Border::zero;
    back.problem.mode = Mode::same;
    back.problem.support = KernelSupport::finite;
    back.problem.alternates = false;
    back.problem.extra_bytes = 0;
    return adjoint;
}

Mode dual(Mode mode)
{
    switch (mode) {
        case Mode::full: return Mode::valid;
        case Mode::valid: return Mode::full;
        case Mode::same: break;
    }
    return Mode::same;
}

/// The image's sample at each of `count` positions of the extended image.
std::vector<int> sources(const AxisProblem& axis, int count)
{
    std::vector<int> table;
    const int first = mode_of(axis.border).is_empty ? 0 : first_output(axis) - (axis.psf - 1 - axis.origin);
    for (int n = 0; n < count; ++n) table.push_back(source_index(axis.border, first + n, axis.count).value_or(-1));
    return table;
}

/// A convolution with the PSF rotated by 180 degrees: of all positions that the PSF reaches, or of the image alone if
/// nothing is outside.
AdjointPlan by_the_rotated_psf(const Plan& plan, const DeviceTraits& traits)
{
    const Problem& p = plan.problem;
    Problem back = p;
    back.image = plan.output;
    back.origin = {p.psf.width - 1 - p.origin.x, p.psf.height - 1 - p.origin.y};
    back.border = Border::zero;
    back.mode = mode_of(p.border).is_empty ? dual(p.mode) : Mode::full;
    back.alternates = false;
    back.extra_bytes = 0;
    Decisions decisions;
    decisions.method = plan.method();
    AdjointPlan adjoint{make_plan(back, traits, decisions), p.image, {}, {}};
    adjoint.columns = sources(along_x(p), adjoint.plan.output.width);
    adjoint.rows = sources(along_y(p), adjoint.plan.output.height);
    return adjoint;
}

}  // namespace

AdjointPlan adjoint_of(const Plan& plan, const DeviceTraits& traits)
{
    check_linear(plan);
    return plan.is_fft() ? by_the_same_lines(plan) : by_the_rotated_psf(plan, traits);
}

}  // namespace clconv
