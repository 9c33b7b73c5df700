// SPDX-License-Identifier: Apache-2.0
// Fraunhofer diffraction: light of one wavelength that passes an aperture of amplitude A makes the pattern |F(A)|^2,
// where F is the Fourier transform, with wavelength x f-number pixels for each cycle across the aperture's diameter
// (Goodman, Introduction to Fourier Optics, section 4.3). One transform serves all wavelengths, since the pattern only
// scales with them.
//
// The pattern is sampled four to eight times a cycle and summed from the upper left. The light of a pixel is a
// difference of four such sums, interpolated between samples by polynomials.
#include "base/errors.h"
#include "fft/host_line.h"
#include "psf/aperture.h"
#include "psf/families.h"
#include "psf/optics.h"
#include "psf/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

namespace clconv::families {
namespace {

using Complex = HostLine::Complex;

/// Samples of the pattern for each cycle across the aperture. The largest apertures have fewer, to fit into memory.
int oversampling(int aperture_samples) { return aperture_samples <= 1024 ? 8 : 4; }
constexpr int kMinSamples = 256;
constexpr int kMaxSamples = 2048;
/// Bounds of the number of wavelengths in sums over a spectrum.
constexpr int kMinWavelengths = 48;
constexpr int kMaxWavelengths = 300;

double sinc(double x) { return x == 0 ? 1 : std::sin(kPi * x) / (kPi * x); }

/// A square of values around a middle, -half .. half.
class Around {
public:
    explicit Around(int half)
        : half_(half), values_(static_cast<std::size_t>(side()) * static_cast<std::size_t>(side()))
    {
    }
    [[nodiscard]] int half() const { return half_; }
    [[nodiscard]] int side() const { return 2 * half_ + 1; }
    [[nodiscard]] double& at(int x, int y) { return values_[index(x, y)]; }
    [[nodiscard]] double at(int x, int y) const { return values_[index(x, y)]; }

private:
    [[nodiscard]] std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y + half_) * static_cast<std::size_t>(side()) +
               static_cast<std::size_t>(x + half_);
    }
    int half_;
    std::vector<double> values_;
};

/// |F(A)|^2 at the `half` frequencies around 0, over its sum over all frequencies. Corrects for amplitudes that are
/// means over samples.
Around pattern(const Aperture& aperture, int half)
{
    const int length = oversampling(aperture.samples) * aperture.samples;
    HostLine transform(length);
    // Rows. A real aperture's spectrum is symmetric, so columns from 0 on are enough.
    const auto columns = static_cast<std::size_t>(half) + 1;
    std::vector<Complex> rows(columns * static_cast<std::size_t>(aperture.samples));
    std::vector<Complex> line(length);
    for (int y = 0; y < aperture.samples; ++y) {
        std::ranges::fill(line, Complex());
        std::copy_n(aperture.amplitude.begin() + static_cast<std::ptrdiff_t>(y) * aperture.samples, aperture.samples,
                    line.begin());
        transform.forward(line);
        for (std::size_t x = 0; x < columns; ++x)
            rows[x * static_cast<std::size_t>(aperture.samples) + static_cast<std::size_t>(y)] = line[x];
    }
    Around result(half);
    const double whole = aperture.light * length * length;
    for (int x = 0; x <= half; ++x) {
        std::ranges::fill(line, Complex());
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(x) * aperture.samples, aperture.samples, line.begin());
        transform.forward(line);
        for (int y = -half; y <= half; ++y) {
            const double mean = sinc(static_cast<double>(x) / length) * sinc(static_cast<double>(y) / length);
            const double value = std::norm(line[(y + length) % length]) / (mean * mean * whole);
            result.at(x, y) = value;
            result.at(-x, -y) = value;
        }
    }
    return result;
}

/// Turns values at the samples' centres into means over the samples' squares. Along each axis that is the series
/// f + f2 / 24 + f4 / 1920 of even derivatives, taken as differences, exact up to the sixth order. The outermost two
/// values stay.
Around means(const Around& samples)
{
    const int half = samples.half();
    const auto mean = [](double f2, double f1, double f0, double g1, double g2) {
        return (5178 * f0 + 308 * (f1 + g1) - 17 * (f2 + g2)) / 5760;
    };
    Around along = samples;
    for (int y = -half; y <= half; ++y)
        for (int x = 2 - half; x <= half - 2; ++x)
            along.at(x, y) = mean(samples.at(x - 2, y), samples.at(x - 1, y), samples.at(x, y), samples.at(x + 1, y),
                                  samples.at(x + 2, y));
    Around result = along;
    for (int y = 2 - half; y <= half - 2; ++y)
        for (int x = -half; x <= half; ++x)
            result.at(x, y) =
                mean(along.at(x, y - 2), along.at(x, y - 1), along.at(x, y), along.at(x, y + 1), along.at(x, y + 2));
    return result;
}

/// Each value becomes the sum of all values up to it, from the upper left.
void sum_from_corner(Around& values)
{
    const int half = values.half();
    for (int y = -half; y <= half; ++y) {
        double row = 0;
        for (int x = -half; x <= half; ++x) {
            row += values.at(x, y);
            values.at(x, y) = row + (y > -half ? values.at(x, y - 1) : 0);
        }
    }
}

constexpr int kNeighbours = 6;

/// Neighbours and their weights in the polynomial through them (Lagrange), evaluated between the middle two.
struct Reading {
    int first = 0;
    std::array<double, kNeighbours> weights{};
};

Reading reading(double place, int half)
{
    Reading r;
    r.first = std::clamp(static_cast<int>(std::floor(place)) - kNeighbours / 2 + 1, -half, half - kNeighbours + 1);
    for (int i = 0; i < kNeighbours; ++i) {
        double weight = 1;
        for (int k = 0; k < kNeighbours; ++k)
            if (k != i) weight *= (place - r.first - k) / (i - k);
        r.weights.at(i) = weight;
    }
    return r;
}

/// The sums up to the left (upper) edges of `count` pixels and one more; a sample is `step` pixels.
std::vector<Reading> edges(int origin, int count, double step, int half)
{
    std::vector<Reading> result;
    // Sum number k reaches to the end of sample k, half a sample beyond its middle.
    for (int i = 0; i <= count; ++i) result.push_back(reading((i - origin - 0.5) / step - 0.5, half));
    return result;
}

class Diffraction final : public Profile {
public:
    Diffraction(const KindArguments& arguments, const ReadPsfFile& read)
        : arguments_(arguments), scale_(spot_scale(arguments)), spectrum_name_(arguments.text("spectrum"))
    {
        if (arguments.is_given("aperture")) drawn_ = read(arguments.text("aperture"));
        if (drawn_ && (arguments.is_given("blades") || arguments.is_given("obstruction")))
            throw InvalidProblem(
                "give either aperture, or blades and obstruction: an image defines the whole aperture");
        const double reference = arguments.number("wavelength");
        if (spectrum_name_ == "mono")
            fixed_ = LightSpectrum{{{reference, {1, 1, 1}}}, 1};
        else if (spectrum_name_ != "cie")
            fixed_ = given_spectrum(read(spectrum_name_));
        pixels_per_micrometre_ = scale_ / reference;
    }

    [[nodiscard]] int channels() const override { return fixed_ ? fixed_->channels : 3; }

    /// The reach of a round aperture, plus room for straight blades, which spread light further.
    [[nodiscard]] HalfSize reach(double share) const override
    {
        const double obstruction = drawn_ ? 0 : arguments_.number("obstruction");
        const double v = 2 / (kPi * (1 - share) * (1 - obstruction));
        const double radius = 1.5 * (v / kPi + 1) * scale_;
        return {radius, radius};
    }

    [[nodiscard]] std::vector<double> integrals(const Frame& frame, int channel) const override
    {
        if (frame.extent != made_) make(frame);
        return planes_.at(channel);
    }

private:
    /// Between two wavelengths, no part of the pattern may jump by more than a pixel.
    [[nodiscard]] static int wavelengths_for(const Frame& frame)
    {
        const double growth = std::log(0.70 / 0.39);
        const int half = std::max(frame.extent.width, frame.extent.height) / 2;
        return std::clamp(static_cast<int>(growth * half), kMinWavelengths, kMaxWavelengths);
    }

    /// The number of samples of the aperture. The pattern repeats after scale x samples pixels, and the frame may be
    /// half of that.
    [[nodiscard]] int samples_for(const Frame& frame, double smallest_scale) const
    {
        const int size = std::max(frame.extent.width, frame.extent.height);
        int samples = kMinSamples;
        while (samples < kMaxSamples && samples * smallest_scale < 2.0 * size) samples *= 2;
        if (samples * smallest_scale >= 2.0 * size) return samples;
        throw InvalidProblem(
            fmt::format("{} pixels are too many for so small a spot; at most {}: give a smaller size or share", size,
                        static_cast<int>(kMaxSamples * smallest_scale / 2)));
    }

    struct Pattern {
        Around sums{0};       ///< from the corner
        double diameter = 1;  ///< cycles across the aperture in one sample
    };

    [[nodiscard]] Pattern pattern_for(const Frame& frame, const LightSpectrum& spectrum) const
    {
        const auto shortest = std::ranges::min_element(spectrum.wavelengths, {}, &Wavelength::micrometres);
        const double smallest = shortest->micrometres * pixels_per_micrometre_;
        const int samples = samples_for(frame, smallest);
        const Aperture aperture = drawn_ ? drawn_aperture(*drawn_, samples) : bladed_aperture(arguments_, samples);
        Pattern scaled;
        scaled.diameter = aperture.diameter / (oversampling(samples) * samples);
        const double half_size = std::max(frame.extent.width, frame.extent.height) / 2.0 + 1;
        constexpr int spare = 6;  // for means and polynomials beyond the edge
        const int half = static_cast<int>(std::ceil(half_size / (smallest * scaled.diameter))) + spare;
        scaled.sums = means(pattern(aperture, half));
        sum_from_corner(scaled.sums);
        return scaled;
    }

    /// All channels' planes, at once because they read the same patterns.
    void make(const Frame& frame) const
    {
        const LightSpectrum spectrum = fixed_ ? *fixed_ : cie_spectrum(wavelengths_for(frame));
        const Pattern scaled = pattern_for(frame, spectrum);
        planes_.assign(spectrum.channels, std::vector<double>(frame.extent.pixels()));
        for (const Wavelength& w : spectrum.wavelengths)
            add(frame, scaled.sums, w.micrometres * pixels_per_micrometre_ * scaled.diameter, w.weights);
        // Polynomials may be below 0 in dark places.
        for (std::vector<double>& plane : planes_)
            for (double& value : plane) value = std::max(value, 0.0);
        made_ = frame.extent;
    }

    /// Adds the pattern of one wavelength, a sample of which is `step` pixels, to each channel by its weight.
    void add(const Frame& frame, const Around& sums, double step, const std::array<double, 3>& weights) const
    {
        const std::vector<Reading> across = edges(frame.origin.x, frame.extent.width, step, sums.half());
        const std::vector<Reading> down = edges(frame.origin.y, frame.extent.height, step, sums.half());
        std::vector<double> above(across.size());
        std::vector<double> here(across.size());
        std::vector<double> row(sums.side());
        const auto width = static_cast<std::size_t>(frame.extent.width);
        for (std::size_t y = 0; y < down.size(); ++y) {
            read_row(sums, down[y], across.front().first, across.back().first + kNeighbours, row);
            for (std::size_t x = 0; x < across.size(); ++x) {
                here[x] = 0;
                for (int i = 0; i < kNeighbours; ++i)
                    here[x] += across[x].weights.at(i) * row[across[x].first + i + sums.half()];
            }
            for (std::size_t x = 0; y > 0 && x < width; ++x) {
                const double light = here[x + 1] - here[x] - above[x + 1] + above[x];
                for (std::size_t c = 0; c < planes_.size(); ++c)
                    planes_[c][(y - 1) * width + x] += weights.at(c) * light;
            }
            std::swap(here, above);
        }
    }

    /// The sums from `first` to before `end`, read between rows, into row[first + half] ...
    static void read_row(const Around& sums, const Reading& down, int first, int end, std::vector<double>& row)
    {
        std::fill(row.begin() + first + sums.half(), row.begin() + end + sums.half(), 0.0);
        for (int j = 0; j < kNeighbours; ++j) {
            const double weight = down.weights.at(j);
            for (int x = first; x < end; ++x) row[x + sums.half()] += weight * sums.at(x, down.first + j);
        }
    }

    KindArguments arguments_;
    double scale_;  ///< wavelength x f-number, pixels
    std::string spectrum_name_;
    std::optional<LightSpectrum> fixed_;  ///< none: the CIE's, as finely as needed
    std::optional<Psf> drawn_;
    double pixels_per_micrometre_ = 1;
    // The frame that was made last.
    mutable Extent made_;
    mutable std::vector<std::vector<double>> planes_;
};

}  // namespace

ProfilePtr diffraction(const KindArguments& arguments, const ReadPsfFile& read)
{
    return std::make_unique<Diffraction>(arguments, read);
}

}  // namespace clconv::families
