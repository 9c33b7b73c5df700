// SPDX-License-Identifier: Apache-2.0
#include "opencl/api.h"  // first, because it says for which OpenCL

#include "base/errors.h"
#include "clconv/opencl.hpp"
#include "conv/border.h"
#include "engine/image_problem.h"
#include "library/errors.h"
#include "library/inside.h"
#include "library/part_options.h"
#include "library/requested_work.h"
#include "library/samples.h"
#include "opencl/buffers.h"
#include "opencl/device_choice.h"
#include "opencl/given_context.h"
#include "passes/device_convolution.h"
#include "settings/cache_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <mutex>
#include <string_view>
#include <utility>

namespace clconv::v0 {
namespace {

/// Plans that are kept; the least recently used one goes.
constexpr std::size_t kKeptPlans = 4;

/// The view of an image whose samples nobody reads.
ConstView shape_view(const BufferView& image)
{
    static constexpr char kNoSample = 0;
    return {&kNoSample, image.type, image.width, image.height, image.channels, 0, 0, 0, image.alpha};
}

std::size_t bytes_in(const BufferView& image)
{
    const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
    return pixels * static_cast<std::size_t>(image.channels) * bytes_of(file_type_of(image.type));
}

void check_buffer(const BufferView& image, std::string_view name, const cl::Context& context, Precision precision)
{
    check_shape(shape_view(image), name);
    if (file_type_of(image.type) != clconv::file_type_of(engine_type(image.type, precision)))
        throw clconv::InvalidProblem(fmt::format(
            "{}: buffers have samples of u8, u16, half or float32, or of float64 with precision double", name));
    if (!image.memory) throw clconv::InvalidProblem(fmt::format("{}: there is no buffer", name));
    const cl::Buffer buffer(image.memory, true);
    if (buffer.getInfo<CL_MEM_CONTEXT>() != context)
        throw clconv::InvalidProblem(fmt::format("{}: the buffer belongs to another context than the device", name));
    if (const std::size_t found = buffer.getInfo<CL_MEM_SIZE>(); found < bytes_in(image))
        throw clconv::InvalidProblem(
            fmt::format("{}: the buffer has {} bytes, and the samples {}", name, found, bytes_in(image)));
}

void check_requested(const RequestedWork& requested)
{
    if (requested.convolve.precision == Precision::half)
        throw clconv::InvalidProblem("precision half: needs the largest sample, and those of buffers are not read");
    if (requested.nonfinite != NonFiniteRule::error)
        throw clconv::InvalidProblem("nonfinite: samples of buffers are not read, so there is nothing to choose");
    const Blending& blending = requested.convolve.blending;
    if (blending.shape() != BlendShape{} || blending.offset != 0)
        throw clconv::InvalidProblem("mix: buffers are convolved alone; use a Convolver, or mix them yourself");
}

}  // namespace

struct BufferConvolver::Inside {
    struct Shape {
        SampleType type;
        SampleType result;
        int width;
        int height;
        int channels;
        int alpha;
        bool operator==(const Shape&) const = default;
    };

    /// What the images of one shape need.
    struct Prepared {
        Prepared(const Shape& of, Device::Inside& device, const Plan& plan, const std::shared_ptr<Scratch>& scratch)
            : shape(of), convolution(*device.device, device.kernels, plan, false, scratch)
        {
        }

        Shape shape;
        DeviceConvolution convolution;
        PreparedPsf psf = {};
        ImageBuffers buffers = {};  ///< without image and result
    };

    Inside(std::shared_ptr<Device::Inside> on, std::shared_ptr<const clconv::Psf> with, RequestedWork work)
        : device(std::move(on)),
          psf(std::move(with)),
          requested(std::move(work)),
          launcher(*device->device, Timing::off),
          scratch(std::make_shared<Scratch>(*device->device))
    {
    }

    [[nodiscard]] Prepared& prepared(const BufferView& image, const BufferView& result);
    void convolve(Prepared& by, const BufferView& image, const BufferView& result);
    [[nodiscard]] const cl::Buffer& with_bytes_behind(const cl::Buffer& given, std::size_t bytes);

    std::shared_ptr<Device::Inside> device;
    std::shared_ptr<const clconv::Psf> psf;
    RequestedWork requested;
    FittedPsfs fitted_psfs;
    Launcher launcher;  ///< of a queue in order
    std::shared_ptr<Scratch> scratch;
    cl::Buffer copy;
    std::list<Prepared> plans;  ///< the latest first
};

BufferConvolver::Inside::Prepared& BufferConvolver::Inside::prepared(const BufferView& image, const BufferView& result)
{
    const Shape shape{image.type, result.type, image.width, image.height, image.channels, image.alpha};
    for (auto known = plans.begin(); known != plans.end(); ++known) {
        if (known->shape != shape) continue;
        plans.splice(plans.begin(), plans, known);
        return plans.front();
    }
    const ImageView view = engine_view(requested, shape_view(image), result.type, nullptr);
    const clconv::Psf& fit = fitted_psfs.fit(psf, channels_of(view), requested.convolve.correlate);
    Problem problem = fitted_problem(view, fit, *fitted_psfs.support(fit), requested.convolve,
                                     engine_type(result.type, requested.convolve.precision));
    problem.counts_clamped = false;  // counts lie behind the results, where the caller's buffer ends
    const Plan plan = requested.convolve.plans(problem, device->device->info(), requested.convolve.decisions).plan;
    Prepared& made = plans.emplace_front(shape, *device, plan, scratch);
    try {
        made.psf = made.convolution.prepare(launcher, fit);
        SampleLevels levels{std::vector<double>(static_cast<std::size_t>(image.channels))};
        if (mode_of(problem.border).has_own_value()) levels.bias = outside_of(view, requested.convolve);
        made.buffers = made.convolution.between({}, {}, made.psf, levels);
        (void)launcher.finish();
    } catch (...) {
        plans.pop_front();
        throw;
    }
    if (plans.size() > kKeptPlans) plans.pop_back();
    return made;
}

const cl::Buffer& BufferConvolver::Inside::with_bytes_behind(const cl::Buffer& given, std::size_t bytes)
{
    if (device->device->info().traits.is_cpu || given.getInfo<CL_MEM_SIZE>() >= bytes + kBytesReadBehind) return given;
    if (!copy() || copy.getInfo<CL_MEM_SIZE>() < bytes + kBytesReadBehind) copy = allocate(*device->device, bytes);
    device->device->handles().plain_queue.enqueueCopyBuffer(given, copy, 0, 0, bytes);
    return copy;
}

void BufferConvolver::Inside::convolve(Prepared& by, const BufferView& image, const BufferView& result)
{
    const cl::Buffer input(image.memory, true);
    ImageBuffers buffers = by.buffers;
    // Samples of four bytes and more are loaded as they are.
    buffers.input = bytes_of(file_type_of(image.type)) < 4 ? with_bytes_behind(input, bytes_in(image)) : input;
    buffers.output = cl::Buffer(result.memory, true);
    by.convolution.convolve(launcher, buffers, by.psf);
}

Device device_in(cl_context context, cl_device_id id, const Options& options)
{
    return translated([&] {
        try {
            PartOptions read(Part::device);
            read.read(options);
            // Not of read: there, $CLCONV_DEVICE is the default.
            const auto is_device = [](const auto& option) { return option.first == "device"; };
            if (std::ranges::any_of(options.values(), is_device))
                throw clconv::InvalidProblem("device: the context has the device already; leave the option out");
            const GivenContext given{cl::Context(context, true), cl::Device(id, true)};
            clconv::DeviceInfo info = info_of(given);
            info.traits = with_memory(info.traits, device_memory(read.problem()));
            return Access::device(std::make_shared<Device::Inside>(info, given, cache_folder(read.problem().no_cache)));
        } catch (const cl::Error& error) {
            rethrow(error, "opening the device of a context");
        }
    });
}

BufferConvolver::BufferConvolver(const Device& device, const Psf& psf, const Options& options)
    : inside_(translated([&] {
          const auto& on = Access::held(device);
          RequestedWork requested = requested_work(Operation::convolve, options, *on);
          check_requested(requested);
          return std::make_shared<Inside>(on, Access::held(psf)->psf, std::move(requested));
      }))
{
}

Size BufferConvolver::result_size(int width, int height) const
{
    return translated([&] {
        const Extent extent = result_extent(inside_->requested, {width, height}, *inside_->psf);
        return Size{extent.width, extent.height};
    });
}

cl_event BufferConvolver::enqueue(cl_command_queue queue, const BufferView& image, const BufferView& result,
                                  const std::vector<cl_event>& wait)
{
    return translated([&] {
        const std::lock_guard lock(inside_->device->mutex);
        try {
            const auto& handles = inside_->device->device->handles();
            const Precision precision = inside_->requested.convolve.precision;
            check_buffer(image, "the image", handles.context, precision);
            check_buffer(result, "the result", handles.context, precision);
            const Size size = result_size(image.width, image.height);
            if (result.width != size.width || result.height != size.height || result.channels != image.channels)
                throw clconv::InvalidProblem(
                    fmt::format("the result: is {}x{} of {} channels; for this image and mode it must be {}x{} of {}",
                                result.width, result.height, result.channels, size.width, size.height, image.channels));
            if (image.memory == result.memory)
                throw clconv::InvalidProblem("the result: is the image's own buffer; give another one");
            const cl::CommandQueue theirs(queue, true);
            if (theirs.getInfo<CL_QUEUE_CONTEXT>() != handles.context)
                throw clconv::InvalidProblem("the queue belongs to another context than the device");
            Inside::Prepared& by = inside_->prepared(image, result);

            // Passes follow one another in a queue of the device. Events lead from the caller's queue there and back,
            // so it does not matter whether that one is in order.
            std::vector<cl::Event> before;
            for (cl_event event : wait) before.emplace_back(event, true);
            std::vector<cl::Event> begin(1);
            theirs.enqueueMarkerWithWaitList(&before, &begin[0]);
            theirs.flush();
            handles.plain_queue.enqueueBarrierWithWaitList(&begin);
            inside_->convolve(by, image, result);
            std::vector<cl::Event> done{inside_->launcher.so_far().event()};
            cl::Event end;
            theirs.enqueueMarkerWithWaitList(&done, &end);
            theirs.flush();
            cl_event given = end();
            clRetainEvent(given);
            return given;
        } catch (const cl::Error& error) {
            rethrow(error, "convolving buffers");
        }
    });
}

}  // namespace clconv::v0
