#include "conv/axis.h"

#include "base/errors.h"
#include "fft/factorize.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

void require_line(const AxisProblem& p, long long length)
{
    if (length > kMaxLine)
        throw TooLarge(fmt::format("{} samples and a PSF of {} need a line of {}; the longest is {}", p.count, p.psf,
                                   length, kMaxLine));
}

/// Everything outside is zero: the image begins at position 0, and the padding only keeps wrapped samples away.
Axis empty_outside(const AxisProblem& p)
{
    Axis axis{.count = p.count, .loaded = p.count, .output = output_count(p)};
    // PSF sample j moves the image by d = j + shift; it matters if that brings a sample to an output position.
    axis.psf_shift = -p.origin - first_output(p);
    const int least = std::max(axis.psf_shift, -(p.count - 1));
    const int greatest = std::min(p.psf - 1 + axis.psf_shift, axis.output - 1);
    axis.psf_first = least - axis.psf_shift;
    axis.psf_count = std::max(0, greatest - least + 1);
    // Moved by `greatest`, the image must still end within the line. Moved by `least`, it wraps, and must do so behind
    // the output.
    axis.length = std::max({p.count, axis.output, p.count + greatest, axis.output - least});
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

}  // namespace

AxisProblem along_x(const Problem& p) { return {p.image.width, p.psf.width, p.origin.x, p.border, p.mode}; }
AxisProblem along_y(const Problem& p) { return {p.image.height, p.psf.height, p.origin.y, p.border, p.mode}; }

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

Axis padded_axis(const AxisProblem& p)
{
    require_line(p, static_cast<long long>(p.count) + p.psf + (p.mode == Mode::full ? p.psf : 0));
    return mode_of(p.border).is_empty ? empty_outside(p) : extended_outside(p);
}

std::optional<Axis> circular_axis(const AxisProblem& p)
{
    if (!mode_of(p.border).is_periodic || p.mode == Mode::full) return std::nullopt;
    return Axis{.count = p.count,
                .length = p.count,
                .loaded = p.count,
                .output = output_count(p),
                .psf_count = p.psf,
                .psf_shift = -p.origin - first_output(p)};
}

Position first_output(const Problem& p) { return {first_output(along_x(p)), first_output(along_y(p))}; }

std::vector<int> source_table(const Axis& axis, Border border)
{
    std::vector<int> table(axis.length, -1);
    for (int n = 0; n < axis.loaded; ++n)
        table[n] = source_index(border, n + axis.first_source, axis.count).value_or(-1);
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
