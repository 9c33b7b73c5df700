// SPDX-License-Identifier: Apache-2.0
// clFFT: one batch of 2-D real transforms there, a product, one back; our own kernels pad and crop.

#include "opencl_peer.h"

#include <clFFT.h>

namespace clconv::peers {
namespace {

constexpr const char* kKernels = R"cl(
// The image's planes to the corner of padded planes, whose margins are zero already; or the other way.
kernel void copy_planes(global const float* from, global float* to, int from_pitch, int from_plane, int to_pitch,
                        int to_plane)
{
    const int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    to[c * to_plane + y * to_pitch + x] = from[c * from_plane + y * from_pitch + x];
}

// Spectra times the transfer.
kernel void multiply(global float2* spectra, global const float2* transfer, int plane)
{
    const int i = get_global_id(0), at = get_global_id(1) * plane + i;
    const float2 a = spectra[at], b = transfer[i];
    spectra[at] = (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
)cl";

class ClfftConvolution : public Convolution {
public:
    ClfftConvolution(const Work& work, Device& device)
        : work_(work),
          device_(device),
          width_(padded_size(work, work.width)),
          height_(padded_size(work, work.height)),
          real_plane_(width_ * height_),
          spectrum_plane_((width_ / 2 + 1) * height_),
          image_(zeroed(device, work.image.size())),
          output_(zeroed(device, work.image.size())),
          padded_(zeroed(device, floats(real_plane_, work.channels))),
          back_(zeroed(device, floats(real_plane_, work.channels))),
          spectra_(zeroed(device, floats(2 * spectrum_plane_, work.channels))),
          transfer_(zeroed(device, floats(2 * spectrum_plane_, 1))),
          program_(device.handles().context, kKernels)
    {
        program_.build();
        pad_ = cl::Kernel(program_, "copy_planes");
        crop_ = cl::Kernel(program_, "copy_planes");
        multiply_ = cl::Kernel(program_, "multiply");
        const int plane = work.width * work.height;
        set_arguments(pad_, image_, padded_, work.width, plane, width_, real_plane_);
        set_arguments(crop_, back_, output_, width_, real_plane_, work.width, plane);
        set_arguments(multiply_, spectra_, transfer_, spectrum_plane_);
        forward_ = plan(CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED, work.channels);
        inverse_ = plan(CLFFT_HERMITIAN_INTERLEAVED, CLFFT_REAL, work.channels);
        write_planes(device, image_, dense(work.width, work.height, work.channels), work.image.data());
        prepare_transfer();
    }
    ~ClfftConvolution() override
    {
        clfftDestroyPlan(&forward_);
        clfftDestroyPlan(&inverse_);
    }

    void start() override
    {
        const cl::CommandQueue& queue = device_.handles().plain_queue;
        const cl::NDRange pixels(work_.width, work_.height, work_.channels);
        queue.enqueueNDRangeKernel(pad_, cl::NullRange, pixels);
        transform(forward_, CLFFT_FORWARD, padded_, spectra_);
        queue.enqueueNDRangeKernel(multiply_, cl::NullRange, cl::NDRange(spectrum_plane_, work_.channels));
        transform(inverse_, CLFFT_BACKWARD, spectra_, back_);
        queue.enqueueNDRangeKernel(crop_, cl::NullRange, pixels);
    }
    void finish() override { device_.handles().plain_queue.finish(); }

    std::vector<float> result() override
    {
        start();
        std::vector<float> result(work_.image.size());
        read_planes(device_, output_, dense(work_.width, work_.height, work_.channels), result.data());
        return result;
    }

    [[nodiscard]] std::string detail() const { return fmt::format("padded {}x{}", width_, height_); }

private:
    static std::size_t floats(int plane, int planes) { return static_cast<std::size_t>(plane) * planes; }

    static Planes dense(int width, int height, int channels)
    {
        return {width, height, channels, static_cast<std::size_t>(width), floats(width, height)};
    }

    template <class... Arguments>
    static void set_arguments(cl::Kernel& kernel, const Arguments&... arguments)
    {
        cl_uint index = 0;
        (kernel.setArg(index++, arguments), ...);
    }

    clfftPlanHandle plan(clfftLayout from, clfftLayout to, int batch)
    {
        clfftPlanHandle handle = 0;
        std::size_t lengths[] = {static_cast<std::size_t>(width_), static_cast<std::size_t>(height_)};
        std::size_t real[] = {1, lengths[0]};
        std::size_t complex[] = {1, lengths[0] / 2 + 1};
        const bool is_forward = from == CLFFT_REAL;
        cl_command_queue queue = device_.handles().plain_queue();
        require(clfftCreateDefaultPlan(&handle, device_.handles().context(), CLFFT_2D, lengths), "clFFT's plan");
        clfftSetPlanPrecision(handle, CLFFT_SINGLE);
        clfftSetLayout(handle, from, to);
        clfftSetResultLocation(handle, CLFFT_OUTOFPLACE);
        clfftSetPlanBatchSize(handle, batch);
        clfftSetPlanInStride(handle, CLFFT_2D, is_forward ? real : complex);
        clfftSetPlanOutStride(handle, CLFFT_2D, is_forward ? complex : real);
        clfftSetPlanDistance(handle, is_forward ? real_plane_ : spectrum_plane_,
                             is_forward ? spectrum_plane_ : real_plane_);
        // The transfer carries the scale.
        clfftSetPlanScale(handle, CLFFT_BACKWARD, 1.0f);
        require(clfftBakePlan(handle, 1, &queue, nullptr, nullptr), "clFFT's build");
        return handle;
    }

    void transform(clfftPlanHandle handle, clfftDirection direction, const cl::Buffer& from, const cl::Buffer& to)
    {
        cl_command_queue queue = device_.handles().plain_queue();
        cl_mem input = from();
        cl_mem output = to();
        require(clfftEnqueueTransform(handle, direction, 1, &queue, 0, nullptr, nullptr, &input, &output, nullptr),
                "clFFT's launch");
    }

    void prepare_transfer()
    {
        const std::vector<float> psf = wrapped_psf(work_, width_, height_, 1.0 / width_ / height_);
        const cl::CommandQueue& queue = device_.handles().plain_queue;
        queue.enqueueWriteBuffer(padded_, CL_TRUE, 0, psf.size() * sizeof(float), psf.data());
        transform(forward_, CLFFT_FORWARD, padded_, spectra_);
        queue.enqueueCopyBuffer(spectra_, transfer_, 0, 0, floats(2 * spectrum_plane_, 1) * sizeof(float));
        queue.enqueueFillBuffer(padded_, 0.0f, 0, floats(real_plane_, work_.channels) * sizeof(float));
        finish();
    }

    const Work& work_;
    Device& device_;
    int width_, height_, real_plane_, spectrum_plane_;
    cl::Buffer image_, output_, padded_, back_, spectra_, transfer_;
    cl::Program program_;
    cl::Kernel pad_, crop_, multiply_;
    clfftPlanHandle forward_ = 0, inverse_ = 0;
};

void run(int argc, char** argv)
{
    const Options options = parse_options(argc, argv, "Times clFFT at clconv's work");
    const std::unique_ptr<Device> device = open_device(options);
    const Work work = make_work(options);
    clfftSetupData setup;
    require(clfftInitSetupData(&setup), "clFFT's set-up");
    require(clfftSetup(&setup), "clFFT's set-up");
    {
        ClfftConvolution convolution(work, *device);
        report({"clfft", "padded", convolution.detail()}, options, work, convolution);
    }
    clfftTeardown();
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv) { return clconv::peers::guarded_main("clfft_peer", clconv::peers::run, argc, argv); }
