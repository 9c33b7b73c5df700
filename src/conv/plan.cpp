#include "conv/plan.h"

#include "base/errors.h"
#include "conv/cost.h"
#include "conv/plan_lanes.h"
#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "fft/radix.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace clconv {
namespace {

constexpr int kLargestAutomatic = 32;
constexpr std::uint64_t kComplexBytes = 8;

/// An axis with its final length, and the radices of that length.
struct Line {
    Axis axis;
    std::vector<int> radices;
    double cost = 0;  ///< of a whole line
};

RadixRules rules_for(const RadixRequest& request, Residence residence)
{
    RadixRules rules;
    rules.largest = request.largest.value_or(kLargestAutomatic);
    rules.must_contain_largest = request.largest.has_value();
    rules.cost = [residence](int radix) { return stage_cost(radix, residence); };
    return rules;
}

Line line_of_sequence(const Axis& axis, const std::vector<int>& sequence, std::string_view name, Residence residence)
{
    const long long length = std::accumulate(sequence.begin(), sequence.end(), 1LL, std::multiplies<>());
    if (length < axis.length || length > kMaxLine)
        throw InvalidProblem(fmt::format("--radix-{} {}: the product is {}, and the padded line needs {} to {} samples",
                                         name, fmt::join(sequence, ","), length, axis.length, kMaxLine));
    Line line{axis, sequence, 0};
    line.axis.length = static_cast<int>(length);
    for (const int radix : sequence) line.cost += line.axis.length * stage_cost(radix, residence);
    return line;
}

/// The cheapest line for one axis with radices as asked for.
Line line_for(const AxisProblem& problem, const RadixRequest& request, std::string_view name, Residence residence)
{
    const Axis padded = padded_axis(problem);
    if (!request.sequence.empty()) return line_of_sequence(padded, request.sequence, name, residence);

    const RadixRules rules = rules_for(request, residence);
    const auto good = good_length(std::max(2, padded.length), rules);  // at least one stage
    if (!good)
        throw InvalidProblem(fmt::format("--radix-{} {}: no line of {} or a little more samples has such radices", name,
                                         rules.largest, padded.length));
    Line line{padded, good->factorization.radices, good->length * good->factorization.cost};
    line.axis.length = good->length;

    if (const auto circular = circular_axis(problem); circular && circular->length > 1) {
        const auto natural = factorize(circular->length, rules);
        if (natural && circular->length * natural->cost <= line.cost)
            return {*circular, natural->radices, circular->length * natural->cost};
    }
    return line;
}

/// The shape of a pass in a work-group of this device, or none.
std::optional<LocalLine> local_shape(const std::vector<int>& radices, bool rows, int lines, const ShapeRequest& asked,
                                     const DeviceTraits& traits)
{
    LocalLineRequest request;
    request.items = asked.items;
    request.split = asked.split;
    request.radices = radices;
    request.paired_last = rows;
    request.lines = lines;
    request.local_memory = traits.local_memory;
    request.max_group = static_cast<int>(std::min<std::uint64_t>(traits.max_work_group, traits.is_cpu ? 256 : 512));
    request.banks = !traits.is_cpu;
    // Registers: 40 complex values leave a GPU's compiler room; more only where a radix asks for them.
    const int largest = *std::max_element(radices.begin(), radices.end());
    for (const int values : {40, 64, 2 * largest}) {
        request.max_values = values;
        if (auto shape = local_line(request)) return shape;
    }
    return std::nullopt;
}

/// How many pairs of rows a work-group takes and how many columns a tile has, best first: 64 bytes a tile and group.
struct Tiling {
    int lines;
    int tile_columns;
};
constexpr Tiling kGpuTilings[] = {{2, 2}, {1, 4}};
constexpr Tiling kCpuTilings[] = {{1, 4}};

std::span<const Tiling> tilings(const DeviceTraits& traits)
{
    if (traits.is_cpu) return kCpuTilings;
    return kGpuTilings;
}

class Planner {
public:
    Planner(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
        : problem_(problem), traits_(traits), decisions_(decisions)
    {
    }

    Plan plan()
    {
        check(problem_);
        plan_.problem = problem_;
        plan_.output = output_extent(problem_);
        choose_method();
        if (plan_.method == Method::fft) {
            if (!plan_by_lanes()) {
                plan_rows();
                plan_columns();
                plan_spectrum();
            }
            plan_planes();
        }
        return std::move(plan_);
    }

private:
    [[nodiscard]] bool radix_is_forced() const
    {
        const auto forced = [](const RadixRequest& r) { return r.largest || !r.sequence.empty(); };
        return forced(decisions_.radix_x) || forced(decisions_.radix_y) || decisions_.residence.has_value();
    }

    void choose_method()
    {
        plan_.x = padded_axis(along_x(problem_));
        plan_.y = padded_axis(along_y(problem_));
        if (decisions_.method) {
            plan_.method = *decisions_.method;
            plan_.reasons.push_back(fmt::format("method {} as asked for", name_of(plan_.method)));
        } else if (radix_is_forced()) {
            plan_.method = Method::fft;
            plan_.reasons.emplace_back("method fft: radices were asked for");
        } else {
            const double taps = static_cast<double>(problem_.psf.pixels());
            const double direct = static_cast<double>(plan_.output.pixels()) * taps * direct_cost_per_tap(traits_);
            const double fft = fft_cost();
            plan_.method = direct < fft ? Method::direct : Method::fft;
            plan_.reasons.push_back(
                fmt::format("method {}: direct would cost {:.3g}, fft {:.3g} million operations a channel",
                            name_of(plan_.method), direct / 1e6, fft / 1e6));
        }
    }

    [[nodiscard]] double fft_cost() const
    {
        const Line x = line_for(along_x(problem_), {}, "x", Residence::local);
        const Line y = line_for(along_y(problem_), {}, "y", Residence::local);
        const double rows = (problem_.image.height + plan_.output.height) / 2.0;  // two real rows a line
        const double columns = x.axis.length / 2.0 + 1;
        return rows * x.cost + 2 * columns * y.cost +
               static_cast<double>(x.axis.length) * y.axis.length * pass_cost(traits_);
    }

    /// A CPU's work-items own whole lines, if nothing else is asked for and the lines fit.
    bool plan_by_lanes()
    {
        const bool shaped = decisions_.rows.lines || decisions_.rows.items || decisions_.columns.items;
        const int wanted = decisions_.lanes.value_or(traits_.is_cpu && !decisions_.residence && !shaped ? kLanes : 1);
        if (wanted == 1) return false;
        auto lanes = plan_lanes(problem_, traits_, decisions_);
        if (!lanes) {
            if (decisions_.lanes)
                throw InvalidProblem(
                    "lanes=8: such lines need radices of at most 8, for rows ending with 8, and local "
                    "memory for a whole line; use lanes=1");
            return false;
        }
        plan_.lanes = kLanes;
        plan_.x = lanes->x;
        plan_.y = lanes->y;
        plan_.rows.radices = lanes->row_radices;
        plan_.columns.radices = lanes->column_radices;
        Spectrum& spectrum = plan_.spectrum;
        spectrum.columns = plan_.x.length / 2 + 1;
        spectrum.tile_columns = kLanes;
        // Odd: rows a power of two apart would share the sets of a cache.
        spectrum.tiles = (spectrum.columns + kLanes - 1) / kLanes | 1;
        spectrum.packs = (std::max(problem_.image.height, plan_.output.height) + 1) / 2;
        return true;
    }

    /// Local if asked for or possible, else global; `try_local` fills in the pass and says whether it fits.
    template <class TryLocal>
    void choose_residence(LinePlan& pass, Axis& axis, const AxisProblem& along, const RadixRequest& request,
                          std::string_view name, TryLocal try_local)
    {
        // A work-group's kernel with a generic butterfly is unrolled around it and takes minutes to compile.
        const auto generic = [](int radix) { return supported_radix(radix)->butterfly == Butterfly::generic; };
        if (decisions_.residence != Residence::global) {
            const Line line = line_for(along, request, name, Residence::local);
            pass.radices = line.radices;
            axis = line.axis;
            const bool any_generic = std::any_of(line.radices.begin(), line.radices.end(), generic);
            if ((!any_generic || decisions_.residence == Residence::local) && try_local()) return;
            if (decisions_.residence == Residence::local)
                throw InvalidProblem(fmt::format(
                    "residence=local: a line of {} ({}) does not fit {} bytes of local memory and {} work-items; use "
                    "global",
                    axis.length, fmt::join(pass.radices, "."), traits_.local_memory, traits_.max_work_group));
            plan_.reasons.push_back(
                fmt::format("{} through global memory: {}", name,
                            any_generic ? "radices above 32 are loops over an array"
                                        : fmt::format("a line of {} does not fit a work-group", axis.length)));
        }
        const Line line = line_for(along, request, name, Residence::global);
        pass.radices = line.radices;
        axis = line.axis;
        pass.residence = Residence::global;
    }

    void plan_rows()
    {
        LinePlan& rows = plan_.rows;
        plan_.spectrum.tile_columns = 4;
        choose_residence(rows, plan_.x, along_x(problem_), decisions_.radix_x, "x", [&] {
            for (Tiling tiling : tilings(traits_)) {
                tiling.lines = decisions_.rows.lines.value_or(tiling.lines);
                tiling.tile_columns = decisions_.tile_columns.value_or(tiling.tile_columns);
                const auto shape = local_shape(rows.radices, true, tiling.lines, decisions_.rows, traits_);
                if (!shape) continue;
                // Two lines side by side suit the column pass, which then reads narrow tiles, but not if even their
                // parts one by one take all of local memory: one work-group at a time waits for itself.
                const bool crowded =
                    shape->split && 4 * shape->cells * cell_bytes(*shape) * tiling.lines > 3 * traits_.local_memory;
                if (tiling.lines > 1 && crowded && !decisions_.rows.lines) continue;
                rows.local = *shape;
                rows.lines = tiling.lines;
                plan_.spectrum.tile_columns = tiling.tile_columns;
                return true;
            }
            return false;
        });
        rows.registers = decisions_.rows.registers.value_or(0);
        plan_.spectrum.rows_together = 2 * rows.lines;
    }

    void plan_columns()
    {
        LinePlan& columns = plan_.columns;
        columns.lines = decisions_.columns.lines.value_or(1);
        columns.registers = decisions_.columns.registers.value_or(0);
        if (plan_.spectrum.tile_columns % columns.lines != 0)
            throw InvalidProblem(fmt::format("column-lines={}: does not divide the {} columns of a tile", columns.lines,
                                             plan_.spectrum.tile_columns));
        choose_residence(columns, plan_.y, along_y(problem_), decisions_.radix_y, "y", [&] {
            const auto shape = local_shape(columns.radices, false, columns.lines, decisions_.columns, traits_);
            if (shape) columns.local = *shape;
            return shape.has_value();
        });
    }

    void plan_spectrum()
    {
        const auto up = [](int a, int b) { return (a + b - 1) / b; };
        Spectrum& spectrum = plan_.spectrum;
        spectrum.columns = plan_.x.length / 2 + 1;
        spectrum.tiles = up(spectrum.columns, spectrum.tile_columns);
        spectrum.packs = up(std::max(problem_.image.height, plan_.output.height), spectrum.rows_together);
    }

    void plan_planes()
    {
        plan_.planes = problem_.channels;
        if (fits()) return;
        plan_.planes = 1;
        if (!fits())
            throw InvalidProblem(
                fmt::format("{}: needs {} MiB of device memory in one piece, and the device has {} ({} at "
                            "once); use a smaller image, or a device with more memory",
                            token(problem_), plan_.scratch_bytes() >> 20, traits_.global_memory >> 20,
                            traits_.max_allocation >> 20));
        plan_.reasons.emplace_back("one channel at a time: all together do not fit the device's memory");
    }

    [[nodiscard]] bool fits() const
    {
        // The PSF's own spectra exist while it is prepared, beside everything else.
        const int psf_packs = (problem_.psf.height + plan_.spectrum.rows_together - 1) / plan_.spectrum.rows_together;
        const std::uint64_t psf_spectra = plan_.spectrum.cells(psf_packs) * problem_.psf_channels;
        const std::uint64_t transfer = plan_.transfer_cells() * problem_.psf_channels;
        const std::uint64_t largest =
            std::max({plan_.spectrum.cells(plan_.spectrum.packs) * plan_.planes, psf_spectra, transfer}) *
            kComplexBytes;
        const std::uint64_t samples = problem_.channels * (problem_.image.pixels() * bytes_of(problem_.input) +
                                                           plan_.output.pixels() * bytes_of(problem_.output));
        return largest <= traits_.max_allocation &&
               plan_.scratch_bytes() + (psf_spectra + transfer) * kComplexBytes + samples <=
                   traits_.global_memory / 10 * 9;
    }

    const Problem& problem_;
    const DeviceTraits& traits_;
    const Decisions& decisions_;
    Plan plan_;
};

}  // namespace

std::uint64_t Plan::transfer_cells() const
{
    if (method != Method::fft) return 0;
    if (lanes > 1) return static_cast<std::uint64_t>((spectrum.columns + lanes - 1) / lanes) * lanes * y.length;
    if (columns.residence == Residence::global) return static_cast<std::uint64_t>(spectrum.columns) * y.length;
    const int last = columns.radices.back();
    const int values = (y.length / last + columns.local.items - 1) / columns.local.items * last;
    return static_cast<std::uint64_t>(spectrum.tiles) * spectrum.tile_columns * values * columns.local.items;
}

std::uint64_t Plan::scratch_bytes() const
{
    if (method != Method::fft) return 0;
    std::uint64_t cells = spectrum.cells(spectrum.packs) * planes;
    if (rows.residence == Residence::global) cells += 2ull * spectrum.packs * spectrum.rows_together / 2 * x.length;
    if (columns.residence == Residence::global) cells += 2ull * spectrum.columns * y.length;
    return cells * kComplexBytes;
}

Plan make_plan(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions)
{
    return Planner(problem, traits, decisions).plan();
}

}  // namespace clconv
