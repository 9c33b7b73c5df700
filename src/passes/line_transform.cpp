// SPDX-License-Identifier: Apache-2.0
#include "passes/line_transform.h"

#include "fft/factorize.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "opencl/program.h"
#include "passes/defines.h"
#include "passes/global_lines.h"
#include "passes/program_names.h"
#include "passes/scalars.h"

namespace clconv {
namespace {

LineTransform::Lines swapped(LineTransform::Lines lines)
{
    for (auto& value : lines) value = {value.imag(), value.real()};
    return lines;
}

}  // namespace

LineTransform::LineTransform(Device& device, KernelSource kernels, LinePlan plan)
    : device_(device), kernels_(std::move(kernels)), plan_(std::move(plan)), length_(line_length(plan_.radices))
{
}

LineTransform::Lines LineTransform::forward(const Lines& lines)
{
    return plan_.residence == Residence::local ? run_local(lines, "transform_forward") : run_global(lines);
}

LineTransform::Lines LineTransform::back(const Lines& lines)
{
    return plan_.residence == Residence::local ? run_local(lines, "transform_back")
                                               : swapped(run_global(swapped(lines)));
}

LineTransform::Lines LineTransform::run_local(const Lines& lines, const char* kernel)
{
    const std::vector<int> reversed(plan_.radices.rbegin(), plan_.radices.rend());
    auto tables = twiddle_tables(plan_.radices);
    const auto back = twiddle_tables(reversed);
    Defines defines;
    defines.add_lines(line_defines(plan_.radices, plan_.local, false))
        .add_lines(butterfly_defines(plan_.butterflies, plan_.radices))
        .add("BACK_TWIDDLES", static_cast<long long>(tables.size()));
    tables.insert(tables.end(), back.begin(), back.end());

    Kernel transform(build(device_, kernels_,
                           {"transform" + line_words(plan_.radices, plan_.butterflies) + group_words(plan_),
                            "transform.cl", defines.text(), ""}),
                     kernel);
    const cl::Buffer buffer = upload(device_, lines);
    Launcher launcher(device_);
    const cl::Buffer twiddles = upload_scalars(device_, tables, Precision::float32);
    launcher.run("transform", transform, lines.size() / length_, static_cast<std::size_t>(plan_.local.items),
                 named("lines", buffer), named("twiddles", twiddles));
    Lines result(lines.size());
    launcher.read(buffer, result.data(), result.size() * sizeof(result[0]));
    (void)launcher.finish();
    return result;
}

LineTransform::Lines LineTransform::run_global(const Lines& lines)
{
    const std::size_t count = lines.size() / length_;
    GlobalLines stages(device_, kernels_, plan_, count);
    Launcher launcher(device_);
    launcher.write(stages.lines(), lines.data(), lines.size() * sizeof(lines[0]));
    stages.transform(launcher, "transform", count);
    Lines result(lines.size());
    launcher.read(stages.lines(), result.data(), result.size() * sizeof(result[0]));
    (void)launcher.finish();
    return result;
}

}  // namespace clconv
