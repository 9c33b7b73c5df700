// SPDX-License-Identifier: Apache-2.0
#include "engine/richardson_lucy_passes.h"

#include "base/ceil_div.h"
#include "opencl/program.h"
#include "passes/pass_names.h"

#include <algorithm>

namespace clconv {
namespace {

constexpr std::size_t kGroup = 64;           // GROUP of the kernels
constexpr std::uint64_t kStep = 8 * kGroup;  // samples that a work-group takes at a time
constexpr std::uint64_t kMaxGroups = 1024;

/// Work-items that take four samples each.
std::uint64_t in_fours(std::uint64_t samples) { return ceil_div(samples, std::uint64_t{4}); }

std::uint64_t samples_of(Extent extent, int channels) { return extent.pixels() * static_cast<std::uint64_t>(channels); }

}  // namespace

Groups groups_of(std::uint64_t samples)
{
    const std::uint64_t chunk = ceil_div(ceil_div(samples, kMaxGroups), kStep) * kStep;
    return {static_cast<std::size_t>(ceil_div(samples, chunk)), chunk};
}

RichardsonLucyPasses::RichardsonLucyPasses(Device& device, const KernelSource& kernels, const Problem& samples,
                                           const EstimateProblem& estimate, const RichardsonLucy& how,
                                           const IterationKernels& used)
    : samples_(samples),
      estimate_(estimate),
      data_count_(samples_of(samples.image, estimate.problem.channels)),
      estimate_count_(samples_of(estimate.problem.image, estimate.problem.channels)),
      of_data_(groups_of(data_count_)),
      of_data_plane_(groups_of(samples.image.pixels())),
      of_estimate_plane_(groups_of(estimate.problem.image.pixels()))
{
    sizes_.width = sizes_.out_width = samples.image.width;
    sizes_.height = sizes_.out_height = samples.image.height;
    sizes_.psf_channels = 1;
    const BuiltProgram program =
        build(device, kernels, richardson_lucy_recipe(samples, how, used, device.info().traits));
    load_ = Kernel(program, "load");
    sum_up_ = Kernel(program, "sum_up");
    mean_ = Kernel(program, "mean");
    reciprocal_ = Kernel(program, "reciprocal");
    start_ = Kernel(program, "start");
    store_ = Kernel(program, "store");
    if (used.ratio) ratio_ = Kernel(program, "ratio");
    if (used.smooth) smooth_ = Kernel(program, "smooth");
    if (used.update) update_ = Kernel(program, "update");
    if (used.update_ahead) update_ahead_ = Kernel(program, "update_ahead");
    if (used.biggs_andrews) {
        improve_ = Kernel(program, "improve");
        momentum_ = Kernel(program, "momentum");
        run_ahead_ = Kernel(program, "run_ahead");
    }
}

void RichardsonLucyPasses::load(Launcher& launcher, const Load& load)
{
    const cl::Buffer& weights = load.weights ? *load.weights : load.known;
    launcher.run_plane(pass::kLoad, load_, static_cast<std::size_t>(samples_.image.width),
                       static_cast<std::size_t>(samples_.image.height) * estimate_.problem.channels,
                       named("samples", load.image.input), named("data", load.data), named("known", load.known),
                       named("bias", load.image.bias), named("weights", weights),
                       named("has_weights", static_cast<cl_uint>(load.weights != nullptr)), named("most", load.maximum),
                       named("given", sizes_));
}

void RichardsonLucyPasses::mean(Launcher& launcher, const cl::Buffer& data, const cl::Buffer& known,
                                const cl::Buffer& partial, const cl::Buffer& numbers)
{
    const cl_ulong pixels = samples_.image.pixels();
    launcher.run(pass::kStart, sum_up_, mean_sums(), kGroup, named("data", data), named("known", known),
                 named("partial", partial), named("chunk", of_data_plane_.chunk), named("pixels", pixels));
    launcher.run(pass::kStart, mean_, planes(), kGroup, named("partial", partial), named("numbers", numbers),
                 named("groups", static_cast<cl_uint>(mean_sums())));
}

void RichardsonLucyPasses::reciprocal(Launcher& launcher, const cl::Buffer& share, const cl::Buffer& minimum)
{
    const cl_ulong count = estimate_count_;
    launcher.run_plane(pass::kStart, reciprocal_, count, 1, named("share", share), named("least", minimum),
                       named("count", count));
}

void RichardsonLucyPasses::start(Launcher& launcher, const Start& start)
{
    const Extent extent = estimate_.problem.image;
    launcher.run_plane(pass::kStart, start_, static_cast<std::size_t>(extent.width),
                       static_cast<std::size_t>(extent.height) * estimate_.problem.channels,
                       named("estimate", start.estimate), named("share", start.share), named("data", start.data),
                       named("numbers", start.numbers), named("value", start.value),
                       named("is_image", static_cast<cl_uint>(start.is_image)), named("wide", extent.width),
                       named("high", extent.height), named("from_x", estimate_.from.x),
                       named("from_y", estimate_.from.y), named("given", sizes_));
}

void RichardsonLucyPasses::ratio(Launcher& launcher, const Ratio& ratio)
{
    const cl_ulong count = data_count_;
    launcher.run(pass::kRatio, ratio_, of_data_.count, kGroup, named("convolved", ratio.convolved),
                 named("data", ratio.data), named("known", ratio.known), named("partial", ratio.partial),
                 named("numbers", ratio.numbers), named("background", ratio.background),
                 named("first", static_cast<cl_uint>(ratio.first)), named("chunk", of_data_.chunk),
                 named("count", count));
}

void RichardsonLucyPasses::update(Launcher& launcher, const cl::Buffer& estimate, const cl::Buffer& factor,
                                  const cl::Buffer& share)
{
    const cl_ulong count = estimate_count_;
    launcher.run_plane(pass::kUpdate, update_, in_fours(count), 1, named("estimate", estimate), named("factor", factor),
                       named("share", share), named("count", count));
}

void RichardsonLucyPasses::update_ahead(Launcher& launcher, const Ahead& ahead, double momentum)
{
    const cl_ulong count = estimate_count_;
    launcher.run_plane(pass::kUpdate, update_ahead_, in_fours(count), 1, named("estimate", ahead.estimate),
                       named("improved", ahead.improved), named("factor", ahead.factor), named("share", ahead.share),
                       named("momentum", static_cast<cl_float>(momentum)), named("count", count));
}

void RichardsonLucyPasses::update_ahead(Launcher& launcher, const BiggsAndrews& by)
{
    const cl_ulong count = estimate_count_, pixels = estimate_.problem.image.pixels();
    const Ahead& ahead = by.ahead;
    launcher.run(pass::kUpdate, improve_, estimate_sums(), kGroup, named("estimate", ahead.estimate),
                 named("factor", ahead.factor), named("change", by.change), named("share", ahead.share),
                 named("partial", by.partial), named("numbers", by.numbers),
                 named("is_first", static_cast<cl_uint>(by.is_first)), named("chunk", of_estimate_plane_.chunk),
                 named("pixels", pixels));
    launcher.run(pass::kUpdate, momentum_, planes(), kGroup, named("partial", by.partial), named("numbers", by.numbers),
                 named("groups", static_cast<cl_uint>(estimate_sums())),
                 named("most", static_cast<cl_float>(kMaxMomentum)));
    launcher.run_plane(pass::kUpdate, run_ahead_, in_fours(count), 1, named("estimate", ahead.estimate),
                       named("improved", ahead.improved), named("now_all", ahead.factor), named("numbers", by.numbers),
                       named("is_last", static_cast<cl_uint>(by.is_last)), named("count", count));
}

void RichardsonLucyPasses::smooth(Launcher& launcher, const Smooth& smooth)
{
    const Extent extent = estimate_.problem.image;
    launcher.run_plane(pass::kUpdate, smooth_, static_cast<std::size_t>(extent.width),
                       static_cast<std::size_t>(extent.height) * estimate_.problem.channels, named("from", smooth.from),
                       named("result", smooth.result), named("now", smooth.estimate.now),
                       named("before", smooth.estimate.before), named("numbers", smooth.numbers),
                       named("strength", static_cast<cl_float>(smooth.strength)),
                       named("momentum", static_cast<cl_float>(smooth.estimate.momentum)), named("wide", extent.width),
                       named("high", extent.height));
}

void RichardsonLucyPasses::store(Launcher& launcher, const cl::Buffer& estimate, const ImageBuffers& image)
{
    launcher.run_plane(pass::kStore, store_, static_cast<std::size_t>(samples_.image.width),
                       static_cast<std::size_t>(samples_.image.height) * samples_.channels,
                       named("samples", image.input), named("estimate", estimate), named("result", image.output),
                       named("bias", image.bias), named("restore", image.restore), named("mask", image.mask),
                       named("wide", estimate_.problem.image.width), named("from_x", estimate_.from.x),
                       named("from_y", estimate_.from.y), named("given", sizes_));
}

}  // namespace clconv
