// SPDX-License-Identifier: Apache-2.0
// VkFFT's convolution on OpenCL, in place on an image that is padded already.
//
// VkFFT wants a transfer a channel; all are the same here.
#pragma once

#include "opencl_peer.h"

#define VKFFT_BACKEND 3
#include <vkFFT.h>

namespace clconv::peers {

/// Whether VkFFT transforms rows and columns that are zero.
enum class Margins { computed, skipped };

class VkfftConvolution : public Convolution {
public:
    VkfftConvolution(const Work& work, Device& device, Margins margins) : VkfftConvolution(work, device, margins, 0, {})
    {
    }

    /// In place in `shared`, the memory of another convolution of the same size; in its own if that is null. Sides are
    /// the good sizes after `skipped` others.
    VkfftConvolution(const Work& work, Device& device, Margins margins, int skipped, const cl::Buffer& shared)
        : work_(work),
          device_(device),
          width_(longer(padded_size(work, work.width), skipped)),
          height_(longer(padded_size(work, work.height), skipped)),
          pitch_(2 * (static_cast<std::size_t>(width_) / 2 + 1)),
          plane_(pitch_ * height_),
          floats_(plane_ * work.channels),
          cl_device_(device.handles().device()),
          cl_context_(device.handles().context()),
          cl_queue_(device.handles().plain_queue()),
          data_(shared() == nullptr ? zeroed(device, floats_) : shared),
          transfer_(zeroed(device, floats_)),
          data_memory_(data_()),
          transfer_memory_(transfer_())
    {
        prepare_transfer();
        VkFFTConfiguration configuration = common();
        configuration.performConvolution = 1;
        configuration.kernel = &transfer_memory_;
        configuration.kernelSize = &bytes_;
        configuration.buffer = &data_memory_;
        if (margins == Margins::skipped) {
            const int kept[] = {work.width, work.height};
            const int padded[] = {width_, height_};
            for (int axis = 0; axis < 2; ++axis) {
                configuration.performZeropadding[axis] = kept[axis] < padded[axis];
                configuration.fft_zeropad_left[axis] = kept[axis];
                configuration.fft_zeropad_right[axis] = padded[axis];
            }
        }
        require(initializeVkFFT(&convolution_, configuration), "VkFFT's convolution plan");
    }
    ~VkfftConvolution() override { deleteVkFFT(&convolution_); }

    void start() override { append(convolution_, data_memory_); }
    void finish() override { device_.handles().plain_queue.finish(); }

    std::vector<float> result() override
    {
        const Planes planes = {work_.width, work_.height, work_.channels, pitch_, plane_};
        device_.handles().plain_queue.enqueueFillBuffer(data_, 0.0f, 0, bytes_);
        write_planes(device_, data_, planes, work_.image.data());
        start();
        std::vector<float> output(work_.image.size());
        read_planes(device_, data_, planes, output.data());
        return output;
    }

    [[nodiscard]] const cl::Buffer& data() const { return data_; }
    [[nodiscard]] std::size_t pitch() const { return pitch_; }  ///< in floats
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    [[nodiscard]] std::string detail() const { return fmt::format("padded {}x{}, convolution alone", width_, height_); }

private:
    static int longer(int size, int skipped) { return skipped == 0 ? size : longer(good_size(size + 2), skipped - 1); }

    [[nodiscard]] VkFFTConfiguration common()
    {
        VkFFTConfiguration configuration = {};
        configuration.FFTdim = 2;
        configuration.size[0] = width_;
        configuration.size[1] = height_;
        configuration.device = &cl_device_;
        configuration.context = &cl_context_;
        configuration.performR2C = 1;
        configuration.normalize = 1;
        configuration.coordinateFeatures = work_.channels;
        configuration.bufferSize = &bytes_;
        return configuration;
    }

    void prepare_transfer()
    {
        const std::vector<float> psf = wrapped_psf(work_, width_, height_, 1);
        for (int channel = 0; channel < work_.channels; ++channel) {
            const cl::array<cl::size_type, 3> to = {0, 0, static_cast<cl::size_type>(channel)};
            const cl::array<cl::size_type, 3> from = {0, 0, 0};
            device_.handles().plain_queue.enqueueWriteBufferRect(
                transfer_, CL_TRUE, to, from, {sizeof(float) * width_, static_cast<cl::size_type>(height_), 1},
                sizeof(float) * pitch_, sizeof(float) * plane_, 0, 0, psf.data());
        }
        VkFFTConfiguration configuration = common();
        configuration.kernelConvolution = 1;
        configuration.buffer = &transfer_memory_;
        VkFFTApplication application = {};
        require(initializeVkFFT(&application, configuration), "VkFFT's plan of the PSF");
        append(application, transfer_memory_);
        finish();
        deleteVkFFT(&application);
    }

    void append(VkFFTApplication& application, cl_mem& buffer)
    {
        VkFFTLaunchParams launch = {};
        launch.commandQueue = &cl_queue_;
        launch.buffer = &buffer;
        if (application.configuration.performConvolution) launch.kernel = &transfer_memory_;
        require(VkFFTAppend(&application, -1, &launch), "VkFFT's launch");
    }

    const Work& work_;
    Device& device_;
    int width_, height_;
    std::size_t pitch_, plane_, floats_;  ///< in floats
    uint64_t bytes_ = floats_ * sizeof(float);
    cl_device_id cl_device_;
    cl_context cl_context_;
    cl_command_queue cl_queue_;
    cl::Buffer data_, transfer_;
    cl_mem data_memory_, transfer_memory_;
    VkFFTApplication convolution_ = {};
};

}  // namespace clconv::peers
