// SPDX-License-Identifier: Apache-2.0
// Convolves one photograph on several devices and compares the results with the first device's.
//
//   compare_devices PHOTO.ppm SELECTOR SELECTOR...      selectors as --device takes them; PPM: P6 with 255
//
// Needs no image library, so that it runs on any machine with a compiler. Prints a line a case; exits 1 if a relative
// L2 difference is above 1e-6.

#include "engine/convolver.h"
#include "support/random_case.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <numeric>
#include <stdexcept>

namespace {

using namespace clconv;

struct Photo {
    Extent extent;
    Bytes samples;
    [[nodiscard]] ImageView view() const { return {extent, 3, SampleType::u8, samples.data()}; }
};

Photo read_ppm(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string magic;
    Photo photo;
    int maximum = 0;
    in >> magic >> photo.extent.width >> photo.extent.height >> maximum;
    in.get();
    if (!in || magic != "P6" || maximum != 255) throw std::runtime_error(path + ": no binary PPM with 255 levels");
    photo.samples = Bytes(photo.extent.pixels() * 3);
    in.read(reinterpret_cast<char*>(photo.samples.data()), static_cast<std::streamsize>(photo.samples.size()));
    if (!in) throw std::runtime_error(path + ": shorter than its header says");
    return photo;
}

struct Case {
    const char* name;
    Extent psf;
    Border border;
    Decisions decisions;
};

std::vector<Case> cases()
{
    Decisions direct, global, local;
    direct.method = Method::direct;
    global.method = local.method = Method::fft;
    global.residence = Residence::global;
    local.residence = Residence::local;
    return {{"direct 7x7 clamp", {7, 7}, Border::clamp, direct},
            {"fft local 63x63 clamp", {63, 63}, Border::clamp, local},
            {"fft local 255x255 zero", {255, 255}, Border::zero, local},
            {"fft local 64x30 mirror", {64, 30}, Border::mirror, local},
            {"fft global 63x63 reflect", {63, 63}, Border::reflect, global}};
}

Convolver::Output convolve(const std::shared_ptr<Device>& device, const Photo& photo, const Case& c, SampleType output)
{
    const Position origin{c.psf.width / 2, c.psf.height / 2};
    const auto psf = std::make_shared<const Psf>(test::random_psf(c.psf, 1, origin, 7));
    Convolver convolver(device, KernelSource::embedded(), {c.border, {}, Mode::same, false, c.decisions});
    return convolver.convolve(photo.view(), psf, output);
}

/// Integer results that differ at all: rounding may fall either way only where a value lies next to a half.
std::size_t different_codes(const Bytes& a, const Bytes& b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a.data()[i] != b.data()[i];
    return count;
}

/// A photograph's is far from zero: two devices that both give nothing are not equal but both wrong.
double mean_of(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool compare(const Photo& photo, const std::vector<std::shared_ptr<Device>>& devices)
{
    bool same = true;
    for (const Case& c : cases()) {
        const auto first = convolve(devices[0], photo, c, SampleType::float32);
        const auto first_codes = convolve(devices[0], photo, c, SampleType::u8);
        const std::vector<double> reference(first.samples.as<float>().begin(), first.samples.as<float>().end());
        for (std::size_t d = 1; d < devices.size(); ++d) {
            const auto other = convolve(devices[d], photo, c, SampleType::float32);
            const auto codes = convolve(devices[d], photo, c, SampleType::u8);
            const test::Errors errors = test::errors_of(other.samples.as<float>(), reference);
            const std::size_t different = different_codes(first_codes.samples, codes.samples);
            const bool ok =
                mean_of(reference) > 0.01 && errors.plain <= 1e-6 && different <= first_codes.samples.size() / 1000;
            same = same && ok;
            fmt::print("{:<26} {} | {}: mean {:.4f}, relative L2 {:.2e}, {} of {} u8 codes differ {}\n", c.name,
                       devices[0]->info().name, devices[d]->info().name, mean_of(reference), errors.plain, different,
                       first_codes.samples.size(), ok ? "ok" : "WRONG");
        }
    }
    return same;
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        if (argc < 4) throw std::runtime_error("usage: compare_devices PHOTO.ppm SELECTOR SELECTOR...");
        const Photo photo = read_ppm(argv[1]);
        std::vector<std::shared_ptr<Device>> devices;
        for (int i = 2; i < argc; ++i) devices.push_back(std::make_shared<Device>(select_devices(argv[i]).front()));
        return compare(photo, devices) ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "compare_devices: {}\n", error.what());
        return 2;
    }
}
