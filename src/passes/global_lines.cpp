// SPDX-License-Identifier: Apache-2.0
#include "passes/global_lines.h"

#include "fft/local_line.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "passes/recipes.h"
#include "passes/scalars.h"

namespace clconv {

GlobalLines::GlobalLines(Device& device, const KernelSource& kernels, const LinePlan& plan, std::uint64_t lines,
                         Precision precision)
    : radices_(plan.radices), strides_(strides_of(plan.radices)), length_(strides_.back() * radices_.back())
{
    for (const int radix : radices_) {
        if (kernels_.contains(radix)) continue;
        kernels_[radix] =
            Kernel(build(device, kernels, global_stage_recipe(radix, plan.butterflies, precision)), "global_stage");
    }
    const auto tables = twiddle_tables(radices_);
    const auto offsets = twiddle_offsets(radices_);
    for (std::size_t s = 0; s < radices_.size(); ++s) {
        const auto begin = tables.begin() + offsets[s];
        const auto end = s + 1 < radices_.size() ? tables.begin() + offsets[s + 1] : tables.end();
        twiddles_.push_back(upload_scalars(device, std::vector(begin, end), precision));
    }
    for (cl::Buffer& buffer : buffers_) buffer = allocate(device, lines * length_ * 2 * scalar_bytes(precision));
}

void GlobalLines::transform(Launcher& launcher, const std::string& pass, std::size_t lines)
{
    for (std::size_t s = 0; s < radices_.size(); ++s) {
        launcher.run_plane(pass, kernels_.at(radices_[s]), static_cast<std::size_t>(length_ / radices_[s]), lines,
                           named("from", buffers_[now_]), named("to", buffers_[1 - now_]),
                           named("twiddle", twiddles_[s]), named("length", static_cast<cl_uint>(length_)),
                           named("stride", static_cast<cl_uint>(strides_[s])));
        now_ = 1 - now_;
    }
}

}  // namespace clconv
