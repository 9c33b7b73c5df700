// SPDX-License-Identifier: Apache-2.0
#include "cli/warm_work.h"

#include "base/errors.h"
#include "base/parse_extent.h"
#include "cli/sample_type_option.h"
#include "engine/coarse_work.h"
#include "settings/resolution_option.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

constexpr int kMaxPsf = 8192;  // the weights of one take half a gigabyte

std::shared_ptr<const Psf> point_psf(const std::string& size)
{
    const Extent extent = parse_extent("--psf-size", size, Square::yes);
    if (std::max(extent.width, extent.height) > kMaxPsf)
        throw InvalidProblem(fmt::format("--psf-size {}: give at most {}x{}", size, kMaxPsf, kMaxPsf));
    const Position origin{extent.width / 2, extent.height / 2};
    Psf psf{"point", extent, 1, origin, std::vector<double>(extent.pixels())};
    psf.weights[static_cast<std::size_t>(origin.y) * extent.width + origin.x] = 1;
    return std::make_shared<const Psf>(std::move(psf));
}

/// The ways to mix of `bloom --mix` that have programs of their own.
std::vector<Blending> bloom_blendings()
{
    Blending add;
    add.blend = Blend::sum;
    add.keeps_alpha = true;
    add.highlights.emplace();
    Blending screen = add;
    screen.blend = Blend::screen;
    Blending lerp = add;
    lerp.leave = 0.5;
    return {add, screen, lerp};
}

/// The work in linear light: integers are decoded on the device, those with alpha as floats before they get there.
WarmWork linear_work(WarmWork work)
{
    const bool has_alpha = work.channels % 2 == 0;
    if (has_alpha) work.alpha_channel = work.channels - 1;
    if (has_alpha && is_integer(work.type)) work.type = SampleType::float32;
    work.light = is_integer(work.type) ? Light::srgb : Light::linear;
    return work;
}

/// `run`'s work as work of `bloom`.
WarmWork bloom_work(const WarmWork& stored, int shrink, const Blending& blending)
{
    WarmWork work = linear_work(stored);
    work.settings.border = Border::mirror;
    work.settings.blending = blending;
    work.settings.blending.highlights->boost = is_integer(stored.type) ? 1 : 0;  // as --boost auto
    work.settings.work = work_at_resolution(shrink);
    return work;
}

}  // namespace

ImageView WarmWork::view(const std::byte* samples) const
{
    ImageView view{image, channels, type, samples};
    view.light = light;
    view.alpha_channel = alpha_channel;
    return view;
}

std::vector<Recipe> WarmWork::programs(const DeviceTraits& traits) const
{
    const Problem problem = problem_of(view(nullptr), *psf, settings, type);
    return menu_programs(problem, *psf, Channels{channels, alpha_channel}, settings, traits);
}

std::vector<WarmWork> warm_work(const WarmOptions& options)
{
    std::vector<std::shared_ptr<const Psf>> psfs;
    for (const std::string& size : options.psf_sizes) psfs.push_back(point_psf(size));
    std::vector<WarmWork> all;
    for (const std::string& type : options.types)
        for (const int channels : options.channels)
            for (const std::shared_ptr<const Psf>& psf : psfs) {
                WarmWork work;
                work.image = {64, 64};
                work.channels = channels;
                work.type = sample_type_option("--types", type);
                if (work.type == SampleType::float64)
                    throw InvalidProblem(
                        "--types double: programs are for --precision float; use u8, u16, half or float");
                work.psf = psf;
                all.push_back(work);
                if (options.linear) all.push_back(linear_work(work));
                for (const std::string& resolution : options.resolutions)
                    for (const Blending& blending : bloom_blendings())
                        all.push_back(
                            bloom_work(work, shrink_of(choice<Resolution>("--resolution", resolution)), blending));
            }
    return all;
}

}  // namespace clconv
