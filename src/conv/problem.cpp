// SPDX-License-Identifier: Apache-2.0
#include "conv/problem.h"

#include "base/errors.h"
#include "conv/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace clconv {
namespace {

void add_tokens(std::string& text, const BlendShape& blend, BlendPass pass)
{
    for (const BlendFlag& flag : kBlendFlags)
        if (flag.pass == pass && blend.*flag.is_set) text += fmt::format(" {}", flag.token);
}

}  // namespace

std::string token(const Problem& p)
{
    std::string text = fmt::format("{}x{} {}>{} * {}x{}@{},{} {} {}", to_string(p.image), p.channels, name_of(p.input),
                                   name_of(p.output), to_string(p.psf), p.psf_channels, p.origin.x, p.origin.y,
                                   name_of(p.border), name_of(p.mode));
    if (p.layout == Layout::planar) text += " planar";
    if (p.precision != Precision::float32) text += fmt::format(" in {}", name_of(p.precision));
    if (p.encode_srgb) text += p.decode_srgb ? " in linear light" : " from linear light";
    if (p.decode_srgb && !p.encode_srgb) text += " to linear light";
    const BlendShape blend = computed_blend(p);
    add_tokens(text, blend, BlendPass::loads);
    if (blend.blend != Blend::none) text += blend.blend == Blend::screen ? " screened" : " mixed";
    add_tokens(text, blend, BlendPass::stores);
    if (p.support == KernelSupport::infinite) text += " everywhere";
    if (p.alternates) text += " in turns";
    return text;
}

std::string program_key(const Problem& problem) { return token(problem) + (problem.counts_clamped ? " counted" : ""); }

BlendShape computed_blend(const Problem& problem)
{
    BlendShape blend = problem.blend;
    if (problem.input == SampleType::u8) blend.boosts = false;
    return blend;
}

Extent output_extent(const Problem& problem)
{
    if (problem.mode == Mode::valid &&
        (problem.psf.width > problem.image.width || problem.psf.height > problem.image.height))
        throw InvalidProblem(
            fmt::format("the {} PSF is larger than the {} image, and --mode valid needs it inside; "
                        "use --mode same or full",
                        to_string(problem.psf), to_string(problem.image)));
    return {output_count(along_x(problem)), output_count(along_y(problem))};
}

namespace {

void check_range(const Problem& p)
{
    if (std::max({p.image.width, p.image.height, p.psf.width, p.psf.height}) > kMaxSide)
        throw TooLarge(fmt::format("an image of {} with a PSF of {}: no side may be longer than {}", to_string(p.image),
                                   to_string(p.psf), kMaxSide));
    constexpr std::uint64_t largest_plane = std::numeric_limits<std::int32_t>::max();
    if (p.layout == Layout::planar && std::max(p.image.pixels(), output_extent(p).pixels()) > largest_plane)
        throw TooLarge(
            fmt::format("an image of {}: planes of more than {} pixels are not possible; use interleaved "
                        "samples",
                        to_string(p.image), largest_plane));
    const Extent extended{p.image.width + p.psf.width, p.image.height + p.psf.height};
    if (p.channels > kMaxChannels || extended.pixels() > kMaxSamples / static_cast<std::uint64_t>(p.channels))
        throw TooLarge(fmt::format(
            "an image of {} with {} channels and a PSF of {}: no more than {} channels and {} samples are possible",
            to_string(p.image), p.channels, to_string(p.psf), kMaxChannels, kMaxSamples));
}

void check_infinite(const Problem& p)
{
    const auto refuse = [](const std::string& what, std::string_view instead) {
        throw InvalidProblem(
            fmt::format("{}: not for a kernel that reaches everywhere, as inverses do; use {}", what, instead));
    };
    if (p.mode != Mode::same) refuse(fmt::format("--mode {}", name_of(p.mode)), "same");
    if (mode_of(p.border).divides_by_coverage) refuse("--border renormalize", "another border");
    if (p.precision == Precision::half) refuse("--precision half", "float or double");
}

}  // namespace

void check(const Problem& p)
{
    if (p.image.width < 1 || p.image.height < 1 || p.channels < 1)
        throw InvalidProblem(
            fmt::format("the image has {}x{} samples; at least one is needed", to_string(p.image), p.channels));
    if (p.psf.width < 1 || p.psf.height < 1)
        throw InvalidProblem(fmt::format("the PSF has {} samples; at least one is needed", to_string(p.psf)));
    check_range(p);
    if (p.origin.x < 0 || p.origin.x >= p.psf.width || p.origin.y < 0 || p.origin.y >= p.psf.height)
        throw InvalidProblem(fmt::format("the origin {},{} lies outside the {} PSF; give X in 0..{} and Y in 0..{}",
                                         p.origin.x, p.origin.y, to_string(p.psf), p.psf.width - 1, p.psf.height - 1));
    if (p.psf_channels != 1 && p.psf_channels != p.channels)
        throw InvalidProblem(fmt::format("the PSF has {} channels and the image {}; the PSF needs 1 or as many",
                                         p.psf_channels, p.channels));
    if ((p.input == SampleType::float64 || p.output == SampleType::float64) && p.precision != Precision::float64)
        throw InvalidProblem("samples of 64-bit floats need --precision double; use it, or samples of 32-bit floats");
    if (p.blend.blend != Blend::none && p.mode == Mode::full)
        throw InvalidProblem("mode full has results outside the image, where there is nothing to blend them with");
    if (p.support == KernelSupport::infinite) check_infinite(p);
    (void)output_extent(p);
}

}  // namespace clconv
