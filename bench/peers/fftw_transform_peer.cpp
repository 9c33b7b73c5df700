// SPDX-License-Identifier: Apache-2.0
// FFTW's 2-D complex transform alone, forward, out of place: the measure of clconv's passes without load, product,
// store.
//
// Run it by hand, `fftw_transform_peer --size 1024x1024 --psf-size 1`; bench/compare-peers convolves.

#include "fftw.h"
#include "peer.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

namespace clconv::peers {
namespace {

class Transform : public Convolution {
public:
    Transform(const Options& options, const std::vector<float>& samples)
        : width_(options.width),
          height_(options.height),
          input_(samples.size()),
          output_(samples.size()),
          plan_(make_plan(options.threads))
    {
        input_.fill(samples);  // planning overwrote it
    }

    void start() override { fftwf_execute(plan_.get()); }

    std::vector<float> result() override
    {
        start();
        return {output_.at(0), output_.at(0) + output_.size()};
    }

private:
    fftwf_plan make_plan(int threads)
    {
        fftwf_plan_with_nthreads(threads);
        return fftwf_plan_dft_2d(height_, width_, input_.complex_at(0), output_.complex_at(0), FFTW_FORWARD, kRigor);
    }

    int width_, height_;
    Floats input_, output_;
    Plan plan_;
};

using Complex = std::complex<double>;

/// exp(-2 pi i k n / length) for all n.
std::vector<Complex> wave(int k, int length)
{
    std::vector<Complex> values(length);
    for (int n = 0; n < length; ++n) {
        const auto turn = static_cast<double>(static_cast<long long>(k) * n % length) / length;
        values[n] = std::polar(1.0, -2 * std::numbers::pi * turn);
    }
    return values;
}

/// Relative L2 error of some random frequencies, against sums in double precision.
double error_of(const Options& options, const std::vector<float>& samples, const std::vector<float>& spectrum)
{
    std::mt19937 engine(7);
    double error = 0, norm = 0;
    for (int i = 0; i < 40; ++i) {
        const int u = static_cast<int>(engine() % static_cast<unsigned>(options.width));
        const int v = static_cast<int>(engine() % static_cast<unsigned>(options.height));
        const std::vector<Complex> across = wave(u, options.width), down = wave(v, options.height);
        Complex wanted = 0;
        for (int y = 0; y < options.height; ++y) {
            Complex row = 0;
            for (int x = 0; x < options.width; ++x) {
                const std::size_t at = 2 * (static_cast<std::size_t>(y) * options.width + x);
                row += across[x] * Complex(samples[at], samples[at + 1]);
            }
            wanted += down[y] * row;
        }
        const std::size_t at = 2 * (static_cast<std::size_t>(v) * options.width + u);
        error += std::norm(Complex(spectrum[at], spectrum[at + 1]) - wanted);
        norm += std::norm(wanted);
    }
    return std::sqrt(error / norm);
}

void run(int argc, char** argv)
{
    const Options options = parse_options(argc, argv, "Times FFTW's 2-D complex transform alone, forward");
    fftwf_init_threads();
    std::mt19937 engine(20260101);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> samples(2 * static_cast<std::size_t>(options.width) * options.height);
    for (float& sample : samples) sample = uniform(engine);
    Transform transform(options, samples);
    report_checked({"fftw", "c2c forward", fmt::format("{} threads", options.threads)}, options, transform,
                   error_of(options, samples, transform.result()));
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv)
{
    return clconv::peers::guarded_main("fftw_transform_peer", clconv::peers::run, argc, argv);
}
