// SPDX-License-Identifier: Apache-2.0
#include "psf/aperture.h"

#include "base/errors.h"
#include "psf/normalize.h"
#include "psf/shapes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clconv {
namespace {

/// The parts of source sample `i` in each target sample. The source's line covers `width` samples in the middle of the
/// target's line.
struct Part {
    int from = 0;
    int to = 0;
    double length = 0;  ///< in targets
};

std::vector<Part> parts_of_line(int source, double width, int target)
{
    std::vector<Part> parts;
    const double step = width / source;
    const double start = (target - width) / 2;
    for (int i = 0; i < source; ++i) {
        const double end = start + (i + 1) * step;
        for (double at = start + i * step; at < end - 1e-12;) {
            const double next = std::min(end, std::floor(at + 1e-12) + 1);
            parts.push_back({i, std::clamp(static_cast<int>(std::floor(at + 1e-12)), 0, target - 1), next - at});
            at = next;
        }
    }
    return parts;
}

void check_values(const Psf& image)
{
    for (const double value : image.weights)
        if (!(value >= 0 && value <= 1e30))
            throw InvalidProblem(
                "the aperture's image holds values that are negative or not finite; 0 is opaque, 1 clear");
    if (std::ranges::all_of(image.weights, [](double value) { return value == 0; }))
        throw InvalidProblem("the aperture's image is black: nothing passes");
}

}  // namespace

Aperture bladed_aperture(const KindArguments& arguments, int samples)
{
    Aperture aperture{samples, samples - 1.0, 0, {}};
    const Frame frame{{samples, samples}, {samples / 2, samples / 2}};
    const double radius = aperture.diameter / 2;
    const bool blades = arguments.is_given("blades");
    aperture.amplitude =
        coverage(blades ? regular_outline(bladed_shape(arguments, radius)) : circle_outline(radius), frame);
    if (const double obstruction = arguments.number("obstruction"); obstruction > 0) {
        const std::vector<double> dark = coverage(circle_outline(radius * obstruction), frame);
        for (std::size_t i = 0; i < dark.size(); ++i)
            aperture.amplitude[i] = std::max(aperture.amplitude[i] - dark[i], 0.0);
    }
    aperture.light = std::accumulate(aperture.amplitude.begin(), aperture.amplitude.end(), 0.0);
    return aperture;
}

Aperture drawn_aperture(const Psf& image, int samples)
{
    check_values(image);
    Psf plane = gray(image);
    const double scale = std::max(1.0, *std::ranges::max_element(plane.weights));
    const double larger = std::max(plane.extent.width, plane.extent.height);
    Aperture aperture{samples, static_cast<double>(samples), 0,
                      std::vector<double>(static_cast<std::size_t>(samples) * static_cast<std::size_t>(samples))};
    const std::vector<Part> across = parts_of_line(plane.extent.width, samples * plane.extent.width / larger, samples);
    const std::vector<Part> down = parts_of_line(plane.extent.height, samples * plane.extent.height / larger, samples);
    for (const Part& y : down)
        for (const Part& x : across) {
            const double value = plane.at(x.from, y.from, 0) / scale;
            aperture.amplitude[static_cast<std::size_t>(y.to) * static_cast<std::size_t>(samples) +
                               static_cast<std::size_t>(x.to)] += value * x.length * y.length;
            aperture.light += value * value * x.length * y.length;
        }
    return aperture;
}

}  // namespace clconv
