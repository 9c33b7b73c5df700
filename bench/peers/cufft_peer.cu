// SPDX-License-Identifier: Apache-2.0
// cuFFT: one batch of 2-D real transforms there, a product, one back; our own kernels pad and crop. On CUDA's device 0.
//
// The padded planes are written once outside the image: their margins stay zero, because the inverse goes elsewhere.

#include "peer.h"

#include <cuda_runtime.h>
#include <cufft.h>

#include <stdexcept>
#include <string>

namespace clconv::peers {
namespace {

void require(int status, const char* what)
{
    if (status != 0) throw std::runtime_error(std::string(what) + " failed with code " + std::to_string(status));
}

// Planes of `width` x `height` from one pitch to another; pitches and planes in floats.
__global__ void copy_planes(const float* from, float* to, int width, int height, int from_pitch, int from_plane,
                            int to_pitch, int to_plane)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const size_t c = blockIdx.z;
    if (x < width && y < height) to[c * to_plane + y * to_pitch + x] = from[c * from_plane + y * from_pitch + x];
}

// Spectra times the transfer.
__global__ void multiply(float2* spectra, const float2* transfer, int plane)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= plane) return;
    float2& a = spectra[static_cast<size_t>(blockIdx.y) * plane + i];
    const float2 s = a, t = transfer[i];
    a = make_float2(s.x * t.x - s.y * t.y, s.x * t.y + s.y * t.x);
}

// Zeroed memory on the device.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(size_t count) : bytes_(count * sizeof(T))
    {
        require(cudaMalloc(&data_, bytes_), "cudaMalloc");
        require(cudaMemset(data_, 0, bytes_), "cudaMemset");
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return data_; }
    size_t bytes() const { return bytes_; }

private:
    T* data_ = nullptr;
    size_t bytes_;
};

class CufftConvolution : public Convolution {
public:
    explicit CufftConvolution(const Work& work)
        : work_(work),
          width_(padded_size(work, work.width)),
          height_(padded_size(work, work.height)),
          real_plane_(width_ * height_),
          spectrum_plane_((width_ / 2 + 1) * height_),
          image_(work.image.size()),
          output_(work.image.size()),
          padded_(static_cast<size_t>(real_plane_) * work.channels),
          back_(static_cast<size_t>(real_plane_) * work.channels),
          spectra_(static_cast<size_t>(spectrum_plane_) * work.channels),
          transfer_(spectrum_plane_),
          forward_(plan(CUFFT_R2C)),
          inverse_(plan(CUFFT_C2R))
    {
        require(cudaMemcpy(image_.get(), work.image.data(), image_.bytes(), cudaMemcpyHostToDevice), "upload");
        prepare_transfer();
    }
    ~CufftConvolution() override
    {
        cufftDestroy(forward_);
        cufftDestroy(inverse_);
    }

    void start() override
    {
        const dim3 block(64, 4);
        const dim3 grid((work_.width + 63) / 64, (work_.height + 3) / 4, work_.channels);
        const int plane = work_.width * work_.height;
        copy_planes<<<grid, block>>>(image_.get(), padded_.get(), work_.width, work_.height, work_.width, plane, width_,
                                     real_plane_);
        require(cufftExecR2C(forward_, padded_.get(), spectra_.get()), "cuFFT's forward launch");
        multiply<<<dim3((spectrum_plane_ + 255) / 256, work_.channels), 256>>>(spectra_.get(), transfer_.get(),
                                                                               spectrum_plane_);
        require(cufftExecC2R(inverse_, spectra_.get(), back_.get()), "cuFFT's inverse launch");
        copy_planes<<<grid, block>>>(back_.get(), output_.get(), work_.width, work_.height, width_, real_plane_,
                                     work_.width, plane);
    }
    void finish() override { require(cudaDeviceSynchronize(), "CUDA"); }

    std::vector<float> result() override
    {
        start();
        std::vector<float> result(work_.image.size());
        require(cudaMemcpy(result.data(), output_.get(), output_.bytes(), cudaMemcpyDeviceToHost), "download");
        return result;
    }

    std::string detail() const { return "padded " + std::to_string(width_) + "x" + std::to_string(height_); }

private:
    cufftHandle plan(cufftType type)
    {
        cufftHandle handle;
        int lengths[] = {height_, width_};
        require(cufftPlanMany(&handle, 2, lengths, nullptr, 1, 0, nullptr, 1, 0, type, work_.channels), "cuFFT's plan");
        return handle;
    }

    void prepare_transfer()
    {
        const std::vector<float> psf = wrapped_psf(work_, width_, height_, 1.0 / width_ / height_);
        require(cudaMemcpy(padded_.get(), psf.data(), psf.size() * sizeof(float), cudaMemcpyHostToDevice), "upload");
        require(cufftExecR2C(forward_, padded_.get(), spectra_.get()), "cuFFT's forward launch");
        require(cudaMemcpy(transfer_.get(), spectra_.get(), transfer_.bytes(), cudaMemcpyDeviceToDevice), "copy");
        require(cudaMemset(padded_.get(), 0, padded_.bytes()), "cudaMemset");
        finish();
    }

    const Work& work_;
    int width_, height_, real_plane_, spectrum_plane_;
    DeviceArray<float> image_, output_, padded_, back_;
    DeviceArray<float2> spectra_, transfer_;
    cufftHandle forward_, inverse_;
};

void run(int argc, char** argv)
{
    const Options options = parse_options(argc, argv, "Times cuFFT at clconv's work");
    const Work work = make_work(options);
    CufftConvolution convolution(work);
    report({"cufft", "padded", convolution.detail()}, options, work, convolution);
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv) { return clconv::peers::guarded_main("cufft_peer", clconv::peers::run, argc, argv); }
