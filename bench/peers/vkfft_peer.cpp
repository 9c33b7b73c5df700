// SPDX-License-Identifier: Apache-2.0
// VkFFT on OpenCL: its fused convolution alone. Padding and cropping, which clconv's time includes, are not timed. Two
// arrangements:
//
//   whole      every row is read, transformed and written
//   zeropadded VkFFT knows which rows and columns are zero
//
// Timed over and over in place, the image grows smooth, not zero.

#include "vkfft_convolution.h"

namespace clconv::peers {
namespace {

void run(int argc, char** argv)
{
    const Options options = parse_options(argc, argv, "Times VkFFT's convolution on OpenCL at clconv's work");
    const std::unique_ptr<Device> device = open_device(options);
    const Work work = make_work(options);
    const auto measured = [&](const char* arrangement, Margins margins) {
        if (!wants(options, arrangement)) return;
        VkfftConvolution convolution(work, *device, margins);
        report({"vkfft", arrangement, convolution.detail()}, options, work, convolution);
    };
    measured("whole", Margins::computed);
    measured("zeropadded", Margins::skipped);
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv) { return clconv::peers::guarded_main("vkfft_peer", clconv::peers::run, argc, argv); }
