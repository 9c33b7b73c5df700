// SPDX-License-Identifier: Apache-2.0
#include "engine/spot_check.h"

#include "base/sample_value.h"
#include "conv/axis.h"
#include "passes/bias.h"
#include "psf/sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace clconv {
namespace {

/// The maximum number of products of a PSF's and an image's sample in one check: some milliseconds.
constexpr double kProducts = 1e6;

/// Every second point is a corner, until all are used, because borders matter there.
std::vector<Position> points_of(const Problem& p)
{
    const Extent output = output_extent(p);
    const int right = output.width - 1, bottom = output.height - 1;
    const Position corners[] = {{0, 0}, {right, bottom}, {right, 0}, {0, bottom}};
    const auto count = static_cast<std::size_t>(std::clamp(kProducts / static_cast<double>(p.psf.pixels()), 6., 48.));
    std::mt19937 engine(7);
    std::vector<Position> points;
    for (std::size_t i = 0; i < count; ++i)
        if (i % 2 == 1 && i / 2 < std::size(corners))
            points.push_back(corners[i / 2]);
        else
            points.push_back({static_cast<int>(engine() % static_cast<unsigned>(output.width)),
                              static_cast<int>(engine() % static_cast<unsigned>(output.height))});
    return points;
}

/// The largest relative error of one sample: ten times the promise of docs/conventions.md, which is about a mean.
double allowed_part(Precision precision) { return precision == Precision::half ? 1e-2 : 1e-5; }

/// The error of rounding `value` to the output's type.
double rounding_of(SampleType type, double value)
{
    switch (type) {
        case SampleType::u8: return 0.501 / 255;
        case SampleType::u16: return 0.501 / 65535;
        case SampleType::half: return 0x1p-11 * std::abs(value) + 0x1p-24;
        case SampleType::float32:
            return 0x1p-24 * std::abs(value) + 0x1p-126;  // devices may flush smaller values to zero
        case SampleType::float64: return 0x1p-53 * std::abs(value) + 0x1p-1022;
    }
    return 0;
}

/// The largest number that is checked: values beyond the range of the type are not.
double largest_of(SampleType type) { return type == SampleType::half ? 65000 : 1e37; }

class Checker {
public:
    explicit Checker(const DoneWork& work)
        : work_(work),
          p_(work.problem),
          output_(output_extent(p_)),
          magnitude_(largest_magnitude({p_.image, p_.channels, p_.input, work.image}))
    {
        for (const auto& [sum, magnitude] : channel_sums(work.psf)) {
            sums_.push_back(sum);
            magnitudes_.push_back(magnitude);
        }
    }

    SpotCheck run()
    {
        for (int channel = 0; channel < p_.channels; ++channel) {
            minimum_ = std::numeric_limits<double>::max();
            maximum_ = std::numeric_limits<double>::lowest();
            allowed_ = 0;
            const std::vector<Position> points = points_of(p_);
            // Points are dealt out to the channels: each of three channels gets a third of them.
            for (std::size_t i = channel; i < points.size(); i += p_.channels) check(points[i], channel);
            // If all expected values are nearly equal, a wrong index may go unnoticed.
            has_content_ = has_content_ || maximum_ - minimum_ > 20 * allowed_;
        }
        if (check_.verdict != Verdict::wrong && has_content_) check_.verdict = Verdict::right;
        return check_;
    }

private:
    struct Sum {
        double weighted = 0;  ///< of the samples minus the bias
        double covered = 0;   ///< of the weights inside the image
    };

    [[nodiscard]] Sum direct_sum(Position at, int channel) const
    {
        const int x = at.x + first_output(along_x(p_));
        const int y = at.y + first_output(along_y(p_));
        std::vector<std::optional<int>> columns;
        for (int i = 0; i < p_.psf.width; ++i)
            columns.push_back(source_index(p_.border, x - (i - p_.origin.x), p_.image.width));
        Sum sum;
        for (int j = 0; j < p_.psf.height; ++j) {
            const auto row = source_index(p_.border, y - (j - p_.origin.y), p_.image.height);
            if (!row) continue;
            for (int i = 0; i < p_.psf.width; ++i) {
                if (!columns[i]) continue;
                const std::size_t pixel = static_cast<std::size_t>(*row) * p_.image.width + *columns[i];
                const double weight = work_.psf.at(i, j, channel % p_.psf_channels);
                sum.weighted += weight * (taken_sample(pixel, channel) - work_.bias[channel]);
                sum.covered += weight;
            }
        }
        return sum;
    }

    [[nodiscard]] double sample(std::size_t pixel, int channel) const
    {
        return sample_value(work_.image, p_.input, pixel * static_cast<std::size_t>(p_.channels) + channel);
    }

    [[nodiscard]] std::vector<double> samples_of(std::size_t pixel) const
    {
        std::vector<double> samples;
        for (int c = 0; c < p_.channels; ++c) samples.push_back(sample(pixel, c));
        return samples;
    }

    [[nodiscard]] double taken_sample(std::size_t pixel, int channel) const
    {
        if (!p_.blend.highlights) return sample(pixel, channel);
        std::vector<double> samples = samples_of(pixel);
        make_bright(samples, *work_.blending->highlights, work_.alpha_channel);
        return samples[static_cast<std::size_t>(channel)];
    }

    [[nodiscard]] double blended_at(Position at, int channel, double value) const
    {
        if (!work_.blending) return value;
        const Position in_image{at.x + first_output(along_x(p_)), at.y + first_output(along_y(p_))};
        double mask = 1;
        if (p_.blend.masked)
            mask = work_.mask.empty() ? work_.blending->mask->values[index(in_image, p_.image)]
                                      : work_.mask[index(at, output_)];
        const std::vector<double> image = p_.blend.blend == Blend::none
                                              ? std::vector<double>(static_cast<std::size_t>(p_.channels))
                                              : samples_of(index(in_image, p_.image));
        return blended(*work_.blending, {image, work_.alpha_channel, mask}, channel, value);
    }

    [[nodiscard]] static std::size_t index(Position at, Extent extent)
    {
        return static_cast<std::size_t>(at.y) * extent.width + at.x;
    }

    void check(Position at, int channel)
    {
        const int psf_channel = channel % p_.psf_channels;
        const std::size_t pixel = static_cast<std::size_t>(at.y) * output_.width + at.x;
        Sum sum = direct_sum(at, channel);
        double allowed =
            allowed_part(p_.precision) * (magnitude_ + std::abs(work_.bias[channel])) * magnitudes_[psf_channel];
        if (mode_of(p_.border).divides_by_coverage) {
            if (!work_.coverage.empty()) sum.covered = work_.coverage[psf_channel * output_.pixels() + pixel];
            if (std::abs(sum.covered) < 1e-3 * magnitudes_[psf_channel]) return;  // an enlarged rounding error
            sum.weighted /= sum.covered;
            allowed /= std::abs(sum.covered);
        }
        double wanted = sum.weighted + restored_bias(work_.bias[channel], sums_[psf_channel], p_.border);
        wanted = blended_at(at, channel, wanted);
        allowed *= enlarged_by(channel);
        if (p_.output == SampleType::u8 || p_.output == SampleType::u16) wanted = std::clamp(wanted, 0.0, 1.0);
        if (!(std::abs(wanted) < largest_of(p_.output))) return;
        compare(at, channel, wanted, allowed + rounding_of(p_.output, wanted), pixel);
    }

    /// The factor by which a blend may enlarge errors of the convolution: an upper bound.
    [[nodiscard]] double enlarged_by(int channel) const
    {
        if (!work_.blending) return 1;
        const ChannelBlend blend = blend_of(*work_.blending, {p_.channels, work_.alpha_channel}, channel);
        const double boost = work_.blending->highlights ? work_.blending->highlights->boost : 0;
        return (1 + std::abs(boost)) * (1 + std::abs(blend.gain) + std::abs(blend.leave));
    }

    void compare(Position at, int channel, double wanted, double allowed, std::size_t pixel)
    {
        const double found = sample_value(work_.result, p_.output, pixel * p_.channels + channel);
        if (!std::isfinite(found) && sums_may_overflow()) return;  // caused by the image, not by the program
        const double error = std::abs(found - wanted) / allowed;
        // Transforms spread NaN and infinity everywhere, and conversion to integers makes any number of them.
        if (!(error <= 1) && !image_is_finite()) return;
        minimum_ = std::min(minimum_, wanted);
        maximum_ = std::max(maximum_, wanted);
        allowed_ = std::max(allowed_, allowed);
        ++check_.points;
        if (error <= check_.error) return;  // never for a NaN
        check_.error = error;
        if (error <= 1) return;
        check_.verdict = Verdict::wrong;
        check_.what = fmt::format("sample {},{} of channel {} is {:.7g}, and {:.7g} by a direct sum (rounding: {:.1g})",
                                  at.x, at.y, channel, found, wanted, allowed);
    }

    /// Whether a correct program may leave the range of float: a forward transform's sums reach N times the largest
    /// sample, and the inverse N times that.
    [[nodiscard]] bool sums_may_overflow() const
    {
        double bias = 0;
        for (const double value : work_.bias) bias = std::max(bias, std::abs(value));
        const double weights = std::max(1.0, *std::max_element(magnitudes_.begin(), magnitudes_.end()));
        const auto terms = static_cast<double>(p_.image.pixels() + p_.psf.pixels());
        return (magnitude_ + bias) * weights * terms * terms > 1e37;
    }

    [[nodiscard]] bool image_is_finite() const
    {
        const std::size_t samples = p_.image.pixels() * static_cast<std::size_t>(p_.channels);
        for (std::size_t i = 0; i < samples; ++i)
            if (!std::isfinite(sample_value(work_.image, p_.input, i))) return false;
        return true;
    }

    const DoneWork& work_;
    const Problem& p_;
    const Extent output_;
    const double magnitude_;
    std::vector<double> sums_, magnitudes_;  ///< of each PSF channel, and of its absolute values
    double minimum_ = 0, maximum_ = 0;       ///< of the expected values in the current channel
    double allowed_ = 0;                     ///< the largest allowed error there
    bool has_content_ = false;               ///< some channel has content
    SpotCheck check_;
};

}  // namespace

SpotCheck spot_check(const DoneWork& work) { return Checker(work).run(); }

}  // namespace clconv
