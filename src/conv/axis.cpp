// SPDX-License-Identifier: Apache-2.0
#include "conv/axis.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "fft/factorize.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// Samples that a line may have besides the image's.
long long room_of_psf(const AxisProblem& p)
{
    // All that a position of `valid` sees is in the image. Parts begin at multiples of kPartStep, a little earlier.
    if (p.mode == Mode::valid && p.support == KernelSupport::finite && p.parts == 1) return 0;
    return p.mode == Mode::full ? 2LL * p.psf : p.psf;
}

void require_line(const AxisProblem& p)
{
    if (const long long length = p.count + room_of_psf(p); length > kMaxLine)
        throw TooLarge(fmt::format("{} samples and a PSF of {} need a line of {}; the longest is {}", p.count, p.psf,
                                   length, kMaxLine));
}

/// Everything outside is zero: the image begins at position 0, and the padding only keeps wrapped samples away.
Axis empty_outside(const AxisProblem& p)
{
    Axis axis{.count = p.count, .loaded = p.count, .output = output_count(p)};
    // PSF sample j moves the image by d = j + shift; it matters if that brings a sample to an output position.
    axis.psf_shift = -p.origin - first_output(p);
    const int minimum = std::max(axis.psf_shift, -(p.count - 1));
    const int maximum = std::min(p.psf - 1 + axis.psf_shift, axis.output - 1);
    axis.psf_first = minimum - axis.psf_shift;
    axis.psf_count = std::max(0, maximum - minimum + 1);
    // Moved by `maximum`, the image must still end within the line. Moved by `minimum`, it wraps, and must do so behind
    // the output.
    axis.length = std::max({p.count, axis.output, p.count + maximum, axis.output - minimum});
    return axis;
}

/// The image continues: load all samples that the outputs need.
Axis extended_outside(const AxisProblem& p)
{
    Axis axis{.count = p.count, .output = output_count(p)};
    axis.loaded = axis.length = axis.output + p.psf - 1;
    axis.first_source = first_output(p) - (p.psf - 1 - p.origin);
    axis.psf_count = p.psf;
    axis.psf_shift = -(p.psf - 1);
    return axis;
}

/// The same in equal parts.
Axis in_parts(const AxisProblem& p)
{
    Axis axis = extended_outside(p);
    const auto part_of = [&](int parts) { return rounded_up(ceil_div(axis.output, parts), kPartStep); };
    axis.parts = ceil_div(axis.output, part_of(p.parts));
    axis.part = part_of(axis.parts);
    const int before = (axis.first_source % kPartStep + kPartStep) % kPartStep;
    axis.first_source -= before;
    axis.psf_shift -= before;
    axis.loaded = axis.length = axis.part + p.psf - 1 + before;
    return axis;
}

/// The kernel reaches everywhere. The border has as much room as the PSF needs at both ends together.
Axis ring(const AxisProblem& p)
{
    Axis axis{.count = p.count, .loaded = p.count, .output = output_count(p), .psf_count = p.psf, .is_ring = true};
    axis.length = p.count + p.psf - 1;
    axis.psf_shift = -p.origin;
    if (!mode_of(p.border).is_empty) axis.loaded = axis.length;
    return axis;
}

}  // namespace

AxisProblem along_x(const Problem& p) { return {p.image.width, p.psf.width, p.origin.x, p.border, p.mode, p.support}; }
AxisProblem along_y(const Problem& p)
{
    return {p.image.height, p.psf.height, p.origin.y, p.border, p.mode, p.support};
}

int output_count(const AxisProblem& p)
{
    switch (p.mode) {
        case Mode::same: return p.count;
        case Mode::full: return p.count + p.psf - 1;
        case Mode::valid:
            if (p.psf > p.count)
                throw InvalidProblem(fmt::format("a PSF of {} samples has no valid position in {}", p.psf, p.count));
            return p.count - p.psf + 1;
    }
    return 0;
}

int first_output(const AxisProblem& p)
{
    switch (p.mode) {
        case Mode::same: return 0;
        case Mode::full: return -p.origin;
        case Mode::valid: return p.psf - 1 - p.origin;
    }
    return 0;
}

int max_count(const AxisProblem& p) { return static_cast<int>(std::max(0LL, kMaxLine - room_of_psf(p))); }

Axis padded_axis(const AxisProblem& p)
{
    require_line(p);
    if (p.support == KernelSupport::infinite) return ring(p);
    if (p.parts > 1)
        if (const Axis axis = in_parts(p); axis.parts > 1) return axis;
    return mode_of(p.border).is_empty ? empty_outside(p) : extended_outside(p);
}

Axis with_length(Axis axis, int length)
{
    const bool is_filled = axis.is_ring && axis.loaded == axis.length;
    axis.length = length;
    if (is_filled) axis.loaded = length;
    return axis;
}

std::optional<Axis> circular_axis(const AxisProblem& p)
{
    if (!mode_of(p.border).is_periodic || p.mode == Mode::full || p.parts > 1) return std::nullopt;
    return Axis{.count = p.count,
                .length = p.count,
                .loaded = p.count,
                .output = output_count(p),
                .psf_count = p.psf,
                .psf_shift = -p.origin - first_output(p),
                .is_ring = p.support == KernelSupport::infinite};
}

int coordinate_at(const Axis& axis, int position)
{
    if (!axis.is_ring) return position + axis.first_source;
    // Behind the image, the PSF reaches `origin` samples. What it does not need is shared by both ends.
    const int origin = -axis.psf_shift, spare = axis.length - axis.count - (axis.psf_count - 1);
    return position < axis.count + origin + spare / 2 ? position : position - axis.length;
}

Position first_output(const Problem& p) { return {first_output(along_x(p)), first_output(along_y(p))}; }

std::vector<int> source_table(const Axis& axis, Border border)
{
    const int others = (axis.parts - 1) * axis.part;
    std::vector<int> table(others + axis.length, -1);
    for (int n = 0; n < others + axis.loaded; ++n)
        table[n] = source_index(border, coordinate_at(axis, n), axis.count).value_or(-1);
    return table;
}

std::vector<SourceRun> source_runs(const std::vector<int>& sources)
{
    std::vector<SourceRun> runs;
    for (int n = 0; n < static_cast<int>(sources.size()); ++n) {
        const int source = sources[static_cast<std::size_t>(n)];
        const bool goes_on =
            !runs.empty() && (source < 0 ? runs.back().source < 0
                                         : runs.back().source >= 0 && source == runs.back().source + runs.back().count);
        if (goes_on)
            ++runs.back().count;
        else
            runs.push_back({n, source, 1});
    }
    return runs;
}

int psf_position(const Axis& axis, int j)
{
    const int rest = (j + axis.psf_shift) % axis.length;
    return rest < 0 ? rest + axis.length : rest;
}

}  // namespace clconv
