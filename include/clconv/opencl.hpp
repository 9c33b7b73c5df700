// SPDX-License-Identifier: Apache-2.0
// Convolves images that are in OpenCL buffers, for programs that have a context and queues of their own.
//
//     clconv::Device device = clconv::device_in(context, id);
//     clconv::BufferConvolver blur(device, clconv::Psf("gaussian:2.5"), {{"border", "mirror"}});
//     cl_event done = blur.enqueue(queue, {image, clconv::SampleType::u8, 1920, 1080, 3},
//                                  {result, clconv::SampleType::u8, 1920, 1080, 3});
//
// No sample passes through the host. Two things wait until the device has done all that was enqueued by its
// BufferConvolvers: the first call for images of a size and type, which plans, builds programs and transforms the PSF,
// and the destructor of a BufferConvolver. So if enqueued work waits for a user event, set that one before, or in
// another thread: otherwise they never return. Threads and errors are as in clconv.hpp. docs/library.md has an example.
#pragma once

#include <CL/cl.h>

#include <clconv/clconv.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace clconv {
// clang-format off
#ifndef CLCONV_OWN_SOURCE
inline
#endif
namespace v0 {
// clang-format on

/// The device `id` of `context`, opened there. `options`: those of Part::device, except "device". The context is
/// retained. Throws InvalidProblem: the context does not have the device; DeviceError.
[[nodiscard]] CLCONV_API Device device_in(cl_context context, cl_device_id id, const Options& options = {});

/// An image in a buffer, from its first byte, in the order [y][x][channel], without gaps. Types: u8, u16, half,
/// float32, and float64 with {"precision", "double"}. A sub-buffer has an image that begins elsewhere.
struct BufferView {
    cl_mem memory = nullptr;
    SampleType type = SampleType::float32;
    int width = 0;
    int height = 0;
    int channels = 1;
    int alpha = -1;  ///< as BasicView::alpha
};

/// A convolution with its PSF and options on a device of device_in(). It keeps the plans, transfers and memory of the
/// latest few sizes and types. Copies share all of that, and the last one waits for the device when it is destroyed.
///
/// Samples are not looked at. So none is refused: NaN and infinities spread over all that their line or tile reaches.
/// Zeros where the PSF reaches nothing but zeros come out as rounding leaves them. And the first result of a plan is
/// not checked against direct sums, which Convolver does for the same plan.
class CLCONV_API BufferConvolver {
public:
    /// `options`: those of Part::convolve, but mixes, precision half and treatments of samples that are not finite are
    /// refused. Throws InvalidProblem.
    BufferConvolver(const Device& device, const Psf& psf, const Options& options = {});

    /// The size of the result, as Convolver::result_size().
    [[nodiscard]] Size result_size(int width, int height) const;

    /// Convolves `image` into `result`, which is another buffer, of result_size() and as many channels. Both belong to
    /// the context of the device, and so does `queue`. The work begins when a command that is enqueued there now would
    /// begin: after `wait`, and in a queue in order also after all earlier commands. A queue in order goes on when the
    /// work is done.
    ///
    /// Returns an event that is complete with the result. Release it with clReleaseEvent(). Everything was sent to the
    /// device. Throws InvalidProblem, DeviceError, BuildError; then nothing was enqueued, or `result` is unspecified.
    [[nodiscard]] cl_event enqueue(cl_command_queue queue, const BufferView& image, const BufferView& result,
                                   const std::vector<cl_event>& wait = {});

    struct Inside;

private:
    std::shared_ptr<Inside> inside_;
};

}  // namespace v0
}  // namespace clconv
