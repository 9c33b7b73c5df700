// SPDX-License-Identifier: Apache-2.0
#include "passes/adjoint_convolution.h"

#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/defines.h"
#include "passes/pass_names.h"
#include "passes/program_names.h"
#include "psf/normalize.h"

#include <utility>

namespace clconv {
namespace {

std::uint64_t floats(const Problem& problem, Extent extent)
{
    return extent.pixels() * static_cast<std::uint64_t>(problem.channels) * sizeof(float);
}

}  // namespace

Recipe adjoint_recipe(Precision precision)
{
    return {"adjoint" + precision_words(precision), "adjoint.cl", precision_define(precision), ""};
}

AdjointConvolution::FoldedAxis::FoldedAxis(Device& device, const std::vector<int>& sources, int samples)
    : count(static_cast<cl_uint>(samples)), extended(static_cast<cl_uint>(sources.size()))
{
    std::vector<std::vector<int>> of_sample(count);
    for (std::size_t n = 0; n < sources.size(); ++n)
        if (sources[n] >= 0) of_sample[static_cast<std::size_t>(sources[n])].push_back(static_cast<int>(n));
    std::vector<int> begins{0}, all;
    for (const std::vector<int>& some : of_sample) {
        all.insert(all.end(), some.begin(), some.end());
        begins.push_back(static_cast<int>(all.size()));
    }
    first = upload(device, begins);
    positions = upload(device, all);
}

AdjointConvolution::AdjointConvolution(Device& device, const KernelSource& kernels, const Plan& plan,
                                       std::shared_ptr<Scratch> scratch)
    : plan_(adjoint_of(plan, device.info().traits)),
      problem_(plan.problem),
      back_(device, kernels, plan_.plan, false, std::move(scratch))
{
    const bool divides = mode_of(problem_.border).divides_by_coverage;
    if (!divides && !plan_.folds()) return;
    const BuiltProgram program = build(device, kernels, adjoint_recipe(problem_.precision));
    divide_ = Kernel(program, "divide_by_coverage");
    fold_ = Kernel(program, "fold");
    if (divides) divided_ = allocate(device, floats(problem_, plan.output));
    if (!plan_.folds()) return;
    x_ = FoldedAxis(device, plan_.columns, plan_.image.width);
    y_ = FoldedAxis(device, plan_.rows, plan_.image.height);
    extended_ = allocate(device, floats(problem_, plan_.plan.output));
    folded_ = allocate(device, floats(problem_, {plan_.image.width, plan_.plan.output.height}));
}

PreparedPsf AdjointConvolution::prepare(Launcher& launcher, const Psf& psf, const PreparedPsf& prepared)
{
    if (shares_transfer()) return prepared;
    PreparedPsf made = back_.prepare(launcher, flipped(psf));
    made.weight = prepared.weight;
    return made;
}

void AdjointConvolution::convolve(Launcher& launcher, const cl::Buffer& results, const cl::Buffer& image,
                                  const PreparedPsf& transfer)
{
    const bool divides = mode_of(problem_.border).divides_by_coverage;
    const cl::Buffer& padded = divides ? divided_ : results;
    if (divides) {
        launcher.after(transfer.ready);
        const cl_ulong pixels = plan_.plan.problem.image.pixels();
        const auto channels = static_cast<cl_uint>(problem_.channels);
        launcher.run_plane(pass::kFold, divide_, pixels, channels, named("samples", results),
                           named("weight", transfer.weight), named("result", divided_), named("channels", channels),
                           named("psf_channels", static_cast<cl_uint>(problem_.psf_channels)), named("pixels", pixels));
    }
    if (!buffers_) {
        const std::vector<double> no_bias(static_cast<std::size_t>(problem_.channels));
        buffers_ = back_.between(padded, image, transfer, {no_bias});
    }
    buffers_->input = padded;
    buffers_->output = plan_.folds() ? extended_ : image;
    buffers_->weight = transfer.weight;
    back_.convolve(launcher, *buffers_, transfer);
    if (plan_.folds()) fold(launcher, image);
}

void AdjointConvolution::fold(Launcher& launcher, const cl::Buffer& image)
{
    const auto channels = static_cast<cl_uint>(problem_.channels);
    const auto run = [&](const cl::Buffer& from, const cl::Buffer& to, const FoldedAxis& axis, cl_uint inner,
                         std::size_t lines) {
        launcher.run_plane(pass::kFold, fold_, static_cast<std::size_t>(axis.count) * inner, lines,
                           named("lines", from), named("result", to), named("first", axis.first),
                           named("positions", axis.positions), named("count", axis.count),
                           named("extended", axis.extended), named("inner", inner));
    };
    run(extended_, folded_, x_, channels, y_.extended);
    run(folded_, image, y_, x_.count * channels, 1);
}

}  // namespace clconv
