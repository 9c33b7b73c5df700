// SPDX-License-Identifier: Apache-2.0
#include "tune/pass_menu.h"

#include "base/errors.h"
#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "plan/cost.h"
#include "plan/gpu_decisions.h"
#include "plan/gpu_lines.h"
#include "plan/gpu_menu.h"
#include "plan/pass_costs.h"
#include "tune/candidates.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

namespace clconv {
namespace {

constexpr int kMinMenuLength = 64;
constexpr int kMaxLaneLength = 12000;
constexpr int kMaxGpuLength = 16384;
/// Photographs and videos, with a PSF of 63.
constexpr int kCommonSides[] = {1920, 1080, 3840, 2160, 1024, 2048, 4000, 3000, 6000, 4096, 1280, 720, 512, 7680, 4320};
constexpr int kCommonBorder = 62;

/// How many shapes of an item to measure.
struct Shapes {
    ShapeCounts planes;  ///< of planar samples
    ShapeCounts pixels;  ///< of interleaved ones: rows, because columns have planes of spectra in any case
    std::size_t lanes;   ///< on a CPU
};
/// Columns are measured in more shapes than rows: the model orders theirs worse. On an NVIDIA H100, the best of some
/// fifty shapes of 20 lengths was up to 1.5 times as fast as the best two by the model, and as often one whose values
/// are exchanged in parts (docs/measurements/2026-11-26-h100.md).
constexpr Shapes kManyLines{
    .planes = {.rows = 2, .columns = 6, .split_columns = 3}, .pixels = {.rows = 3, .columns = 1}, .lanes = 3};
constexpr Shapes kFewLines{
    .planes = {.rows = 2, .columns = 2, .split_columns = 1}, .pixels = {.rows = 2, .columns = 1}, .lanes = 1};

/// A GPU's planes are this many times those of an image that is just beyond its cache. Such an image has two or three
/// times the work-groups that run at once, and the last of them leave much of the GPU idle. On an NVIDIA H100, a line
/// of columns among four times as many takes 0.9 of the time, and not all alike (docs/measurements/2026-11-27-h100.md).
constexpr int kCrowd = 4;

/// The side of the image of an item, whose lines have this length.
int image_side(int length) { return length - length / 16; }

/// The least bytes that a pass moves for each value of its lines. Columns load and store spectra; rows load samples and
/// store spectra, or the other way round.
double bytes_a_value(const MenuRequest& request)
{
    constexpr double filled = 15.0 / 16;  // as image_side()
    const double spectra = filled * static_cast<double>(stored_complex_bytes(request.precision)) / 2;
    return spectra + std::min(spectra, filled * filled * static_cast<double>(bytes_of(request.type)));
}

constexpr double kBytesAValue = 64;  // of image, result and spectra

/// Values of a channel. A GPU's passes move more than its cache holds, so that little of it still lies there from the
/// pass before; a CPU's take some tens of milliseconds.
double area_of(const DeviceTraits& traits, const MenuRequest& request)
{
    constexpr double caches = 4;
    const double beyond = caches * static_cast<double>(traits.cache) / bytes_a_value(request);
    const double wanted = traits.is_cpu ? 1e6 : std::max(18e6, beyond) / request.channels;
    return std::min(wanted, static_cast<double>(traits.global_memory) / 2 / kBytesAValue / request.channels);
}

/// All planes, half of them, and so on, and one. Parts of a plane would not do: the columns of a part are not those
/// that its rows have just loaded into the cache.
std::vector<double> shares_of_planes(int planes)
{
    std::vector<double> shares;
    for (int some = planes; some > 0; some /= 2) shares.push_back(static_cast<double>(some) / planes);
    return shares;
}

/// How many times the channels of the request an item of planes has; more, where its lines are short of the area.
int crowd_of(const DeviceTraits& traits, const MenuRequest& request, Extent lengths, double area)
{
    constexpr double many_times = 4;  // what short columns need; shorter ones lie in the cache anyway
    const double missing = std::clamp(area / (static_cast<double>(lengths.width) * lengths.height), 1.0, many_times);
    const double bytes = kCrowd * std::max(area, area_of(traits, request)) * request.channels * kBytesAValue;
    const bool fits = bytes <= static_cast<double>(traits.global_memory) / 2;
    return static_cast<int>(std::ceil((fits ? kCrowd : 1) * missing));
}

/// The longest line of the menu: on a GPU the longest that local memory could hold, real and imaginary parts by turns.
int longest_of(const DeviceTraits& traits, Precision precision)
{
    if (traits.is_cpu) return kMaxLaneLength;
    return static_cast<int>(std::min<std::uint64_t>(traits.local_memory / scalar_bytes(precision), kMaxGpuLength));
}

/// The model's time of a line of each length whose radices programs for any length have.
std::map<int, double> lane_costs(bool columns)
{
    RadixRules rules;
    rules.largest = kMaxLaneRadix;
    rules.only = kGeneralLaneRadices;
    rules.cost = lane_stage_cost;
    std::map<int, double> costs;
    const int step = columns ? 1 : kLanes * kLanes;
    for (int length = columns ? 2 * kLanes : step; length <= kMaxLaneLength; length += step) {
        const auto radices = factorize(columns ? length : length / kLanes, rules);
        if (!radices || radices->radices.size() > kMaxLaneStages || (columns && radices->radices.size() < 2)) continue;
        costs[length] = length * (radices->cost + 1);
    }
    return costs;
}

class Menu {
public:
    Menu(const DeviceTraits& traits, const MenuRequest& request) : traits_(traits), request_(request) {}

    [[nodiscard]] std::vector<MenuItem> items() const
    {
        const std::vector<int> rows = lengths(false), columns = lengths(true);
        const double area = area_of(traits_, request_);
        std::vector<MenuItem> found;
        add_pairs(rows, columns, area, kManyLines, found);
        add_pairs(rows, columns, area / 16, kFewLines, found);
        return found;
    }

private:
    /// The lengths of one kind of line, in the order in which they are measured.
    [[nodiscard]] std::vector<int> lengths(bool columns) const
    {
        const int longest = longest_of(traits_, request_.precision);
        const std::vector<int> good =
            good_lengths(traits_.is_cpu ? lane_costs(columns) : gpu_line_costs(columns, longest, request_.precision),
                         kMinMenuLength, longest);
        std::vector<int> menu;
        if (!traits_.is_cpu) menu.assign(gpu_menu_lengths(columns).begin(), gpu_menu_lengths(columns).end());
        std::vector<int> ordered;
        const auto add = [&](int length) {
            if (std::find(ordered.begin(), ordered.end(), length) == ordered.end()) ordered.push_back(length);
        };
        for (const int side : kCommonSides)
            for (const std::vector<int>* known : {&std::as_const(menu), &good})
                if (const auto next = std::lower_bound(known->begin(), known->end(), side + kCommonBorder);
                    next != known->end())
                    add(*next);
        for (const int length : coarse_to_fine(menu)) add(length);
        for (const int length : coarse_to_fine(good)) add(length);
        return ordered;
    }

    /// Each length at least once, with a partner that makes this area or somewhat more: one that was not used yet, if
    /// there is any. A line that no work-group holds is no partner.
    void add_pairs(std::vector<int> rows, std::vector<int> columns, double area, const Shapes& shapes,
                   std::vector<MenuItem>& found) const
    {
        std::vector<int> all_rows = rows, all_columns = columns, again;
        while (!(rows.empty() && columns.empty() && again.empty()) && !all_rows.empty() && !all_columns.empty()) {
            Extent lengths;
            if (rows.empty()) std::ranges::move(std::exchange(again, {}), std::back_inserter(columns));
            if (!rows.empty()) {
                lengths.width = rows.front();
                const double wanted = area / lengths.width;
                lengths.height = near(columns, wanted).value_or(nearest(all_columns, wanted));
            } else {
                lengths.height = columns.front();
                lengths.width = nearest(all_rows, std::min<double>(area / lengths.height, longest_partner()));
            }
            const std::vector<MenuItem> items = items_of(lengths, area, shapes);
            std::ranges::copy(items, std::back_inserter(found));
            if (!items.empty()) {
                if (std::erase(rows, lengths.width) > 0 && !has_short_rows(items)) again.push_back(lengths.height);
                std::erase(columns, lengths.height);
                continue;
            }
            const Extent with_shortest{*std::ranges::min_element(all_rows), lengths.height};
            const bool column_fits = !items_of(with_shortest, area, shapes).empty();
            for (std::vector<int>* list : {column_fits ? &rows : &columns, column_fits ? &all_rows : &all_columns})
                std::erase(*list, column_fits ? lengths.width : lengths.height);
        }
    }

    /// Whether two pairs of rows fit a work-group, as some shapes of columns want it. Columns beside longer rows have
    /// another turn.
    [[nodiscard]] bool has_short_rows(const std::vector<MenuItem>& items) const
    {
        const auto is_short = [](const Decisions& plan) { return plan.rows.lines == 2; };
        return traits_.is_cpu || std::ranges::any_of(items.back().plans, is_short);
    }

    /// The longest rows beside columns that no row is left for: two pairs of them fit a work-group's local memory.
    [[nodiscard]] int longest_partner() const
    {
        return traits_.is_cpu ? kMaxLaneLength : longest_of(traits_, request_.precision) / 4;
    }

    /// The first that is long enough, and not half as long again.
    static std::optional<int> near(const std::vector<int>& lengths, double wanted)
    {
        const auto first = std::find_if(lengths.begin(), lengths.end(),
                                        [&](int length) { return length >= wanted && length < 1.5 * wanted; });
        return first == lengths.end() ? std::nullopt : std::optional(*first);
    }

    /// The shortest that is long enough, else the longest.
    static int nearest(const std::vector<int>& lengths, double wanted)
    {
        const auto cost = [&](int length) { return std::pair(length < wanted, std::abs(length - wanted)); };
        return *std::min_element(lengths.begin(), lengths.end(), [&](int a, int b) { return cost(a) < cost(b); });
    }

    [[nodiscard]] Problem problem_of(Extent lengths) const
    {
        Problem problem;
        problem.image = {image_side(lengths.width), image_side(lengths.height)};
        problem.channels = request_.channels;
        problem.input = problem.output = request_.type;
        problem.layout = request_.layout;
        problem.precision = request_.precision;
        problem.psf = {3, 3};
        problem.origin = {1, 1};
        problem.border = Border::clamp;  // of files, which are interleaved
        return problem;
    }

    /// None if the device cannot run such lines.
    [[nodiscard]] std::vector<MenuItem> items_of(Extent lengths, double area, const Shapes& shapes) const
    {
        std::vector<MenuItem> items = all_items_of(lengths, area, shapes);
        std::erase_if(items, [](const MenuItem& item) { return item.plans.empty(); });
        return items;
    }

    [[nodiscard]] std::vector<MenuItem> all_items_of(Extent lengths, double area, const Shapes& shapes) const
    {
        const Problem image = problem_of(lengths);
        if (traits_.is_cpu) return {{image, lane_decisions(lengths, shapes.lanes), {1}}};
        Problem planes = image;
        planes.layout = Layout::planar;
        planes.border = Border::zero;
        planes.channels *= crowd_of(traits_, request_, lengths, area);
        MenuItem many{planes, gpu_plans(planes, lengths, shapes.planes), shares_of_planes(planes.channels)};
        if (image.layout == Layout::planar) return {std::move(many)};
        return {{image, gpu_plans(image, lengths, shapes.pixels), {1}}, std::move(many)};
    }

    [[nodiscard]] std::vector<Decisions> gpu_plans(const Problem& problem, Extent lengths,
                                                   const ShapeCounts& counts) const
    {
        std::vector<Decisions> plans = gpu_shapes(problem, traits_, lengths, counts);
        const auto rows = gpu_menu_line(lengths.width, false, request_.precision, traits_);
        const auto columns = gpu_menu_line(lengths.height, true, request_.precision, traits_);
        if (!rows || !columns) return plans;
        Decisions menu;
        menu.method = Method::fft;
        menu.programs = Programs::special;
        plans.insert(plans.begin(), menu_decisions(*rows, *columns, menu));
        return plans;
    }

    /// General programs: they take any radices, so that nothing is compiled for a length.
    [[nodiscard]] static std::vector<Decisions> lane_decisions(Extent lengths, std::size_t count)
    {
        const auto rows = lane_sequences(lengths.width, false, count);
        const auto columns = lane_sequences(lengths.height, true, count);
        std::vector<Decisions> plans;
        if (rows.empty() || columns.empty()) return plans;
        for (std::size_t i = 0; i < std::max(rows.size(), columns.size()); ++i) {
            Decisions decisions;
            decisions.method = Method::fft;
            decisions.programs = Programs::general;
            decisions.radix_x.sequence = rows[std::min(i, rows.size() - 1)];
            decisions.radix_y.sequence = columns[std::min(i, columns.size() - 1)];
            plans.push_back(std::move(decisions));
        }
        return plans;
    }

    [[nodiscard]] static std::vector<std::vector<int>> lane_sequences(int length, bool columns, std::size_t count)
    {
        RadixWish wish;
        wish.minimum = length;
        wish.margin = 0;
        wish.largest = kMaxLaneRadix;
        wish.last = columns ? 0 : kLanes;
        wish.max_stages = kMaxLaneStages;
        wish.count = 60;
        std::vector<std::vector<int>> found = radix_sequences(wish, Residence::local, true);
        std::erase_if(found, [&](const std::vector<int>& radices) {
            return line_length(radices) != length ||
                   std::any_of(radices.begin(), radices.end(), [](int radix) { return radix < 3; });
        });
        if (found.size() > count) found.resize(count);
        return found;
    }

    const DeviceTraits& traits_;
    const MenuRequest& request_;
};

}  // namespace

std::vector<int> good_lengths(const std::map<int, double>& costs, int shortest, int longest)
{
    constexpr double step = 1.03, margin = 1.25;
    std::vector<int> found;
    for (double needed = shortest; needed <= longest; needed *= step) {
        int best = 0;
        double minimum = std::numeric_limits<double>::infinity();
        for (auto line = costs.lower_bound(static_cast<int>(std::ceil(needed)));
             line != costs.end() && line->first <= needed * margin && line->first <= longest; ++line)
            if (line->second < minimum) std::tie(best, minimum) = std::pair(line->first, line->second);
        if (best > 0 && (found.empty() || found.back() < best)) found.push_back(best);
    }
    // The longest: the steps may leap over it, and nothing else serves what needs it.
    if (const auto end = costs.upper_bound(longest); end != costs.begin())
        if (const int last = std::prev(end)->first; last >= shortest && (found.empty() || found.back() < last))
            found.push_back(last);
    return found;
}

std::vector<int> coarse_to_fine(const std::vector<int>& values)
{
    std::vector<int> ordered;
    std::vector<bool> taken(values.size());
    std::size_t step = 1;
    while (step < values.size()) step *= 2;
    for (; step > 0; step /= 2)
        for (std::size_t i = step - 1; i < values.size(); i += step) {
            if (taken[i]) continue;
            taken[i] = true;
            ordered.push_back(values[i]);
        }
    return ordered;
}

std::optional<Plan> menu_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    try {
        Plan plan = make_plan(problem, traits, decisions);
        if (!has_plain_passes(plan.fft()) || plan.fft().by_lanes() != traits.is_cpu) return std::nullopt;
        return plan;
    } catch (const Error&) {
        return std::nullopt;  // such lines, or so many of them, do not fit the device
    }
}

std::vector<MenuItem> pass_menu(const DeviceTraits& traits, const MenuRequest& request)
{
    return Menu(traits, request).items();
}

}  // namespace clconv
