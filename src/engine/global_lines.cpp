#include "engine/global_lines.h"

#include "engine/defines.h"
#include "engine/scalars.h"
#include "fft/local_line.h"
#include "fft/twiddles.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

#include <array>

namespace clconv {

GlobalLines::GlobalLines(Device& device, const KernelSource& kernels, const LinePlan& plan, std::uint64_t lines,
                         Precision precision)
    : radices_(plan.radices), strides_(strides_of(plan.radices)), length_(strides_.back() * radices_.back())
{
    for (const int radix : radices_) {
        if (kernels_.contains(radix)) continue;
        const std::string defines = Defines()
                                        .add_lines(precision_define(precision))
                                        .add("RADIX", radix)
                                        .add_lines(butterfly_defines(plan.butterflies, std::array{radix}))
                                        .text();
        kernels_[radix] = cl::Kernel(build(device, kernels, {"global_stage.cl", defines, ""}), "global_stage");
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
                           buffers_[now_], buffers_[1 - now_], twiddles_[s], static_cast<cl_uint>(length_),
                           static_cast<cl_uint>(strides_[s]));
        now_ = 1 - now_;
    }
}

}  // namespace clconv
