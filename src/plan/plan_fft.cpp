// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_fft.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "fft/factorize.h"
#include "fft/lane_line.h"
#include "fft/radix.h"
#include "plan/gpu_decisions.h"
#include "plan/gpu_grouping.h"
#include "plan/gpu_menu.h"
#include "plan/padded_line.h"
#include "plan/plan_lanes.h"
#include "plan/step_lines.h"
#include "plan/variants.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {
namespace {

/// The pairs of rows of a work-group, and the columns of a bundle, best first: 64 bytes for each pack's part
/// of a bundle.
struct RowGroup {
    int lines;
    int bundle_columns;
};
constexpr RowGroup kGpuRowGroups[] = {{2, 2}, {1, 4}};
constexpr RowGroup kCpuRowGroups[] = {{1, 4}};

std::span<const RowGroup> row_groups(const DeviceTraits& traits)
{
    if (traits.is_cpu) return kCpuRowGroups;
    return kGpuRowGroups;
}

class Planner {
public:
    Planner(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions, Programs programs,
            std::vector<std::string>& reasons)
        : problem_(problem),
          traits_(traits),
          requested_(decisions),
          decisions_(decisions),
          programs_(programs),
          reasons_(reasons)
    {
    }

    FftPlan plan()
    {
        if (auto lanes = plan_by_lanes()) {
            plan_ = *std::move(lanes);
        } else {
            plan_.rows.butterflies = plan_.columns.butterflies = decisions_.butterflies.value_or(Butterflies::embedded);
            choose_product();
            search_for_a_gpu();
            plan_rows();
            plan_columns();
            plan_variants();
            plan_spectrum();
            explain_unused();
        }
        plan_.planes = plan_.planes_of(problem_.channels);
        return std::move(plan_);
    }

private:
    /// Joint spectra need two channels a line, and an integrated product a launch of its own.
    void choose_product()
    {
        const Product product = decisions_.product.value_or(Product::split);
        if (product == Product::split) return;
        const auto wrong = [&](std::string_view why) {
            throw InvalidProblem(fmt::format("product={}: {}", name_of(product), why));
        };
        if (problem_.channels == 1) wrong("the image has one channel; use split");
        if (problem_.support == KernelSupport::infinite) wrong("transfers of two channels have no inverse; use split");
        if (decisions_.packing == Packing::rows) wrong("only where two channels share a line; use packing=channels");
        if (decisions_.residence == Residence::global) wrong("only for lines that a work-group holds; use split");
        decisions_.packing = Packing::channels;
        if (product == Product::gray && problem_.psf_channels > 1)
            wrong(fmt::format("one PSF for all channels, and this one has {}; use --psf-gray, or integrated",
                              problem_.psf_channels));
        if (product == Product::gray) return;
        if (decisions_.passes == Passes::fused)
            wrong("the product pairs columns of different work-groups; use passes=separate");
        if (decisions_.order == LineOrder::in_place)
            wrong("the product pairs frequencies by their sorted places; use order=autosort");
        decisions_.passes = Passes::separate;
    }

    /// Takes radices, work-items and bundles from the menu or the GPU's model, if lines fit work-groups. Open choices
    /// are made pass by pass.
    void search_for_a_gpu()
    {
        if (traits_.is_cpu || decisions_.residence == Residence::global) return;
        // Lines of exactly one period, which are rarely on the menu.
        if (problem_.support == KernelSupport::infinite && mode_of(problem_.border).is_periodic) return;
        if (programs_ == Programs::general && !shapes_are_decided(decisions_)) {
            if (auto found = gpu_menu_decisions(problem_, traits_, decisions_)) {
                decisions_ = std::move(*found);
                return;
            }
        }
        Decisions wanted = decisions_;
        if (const auto rows = step_rows(problem_, traits_); rows && !shapes_are_decided(decisions_)) {
            wanted.radix_x.sequence = rows->radices;
            wanted.rows.items = rows->items;
            wanted.rows.lines = 1;
        }
        if (auto found = gpu_decisions(problem_, traits_, wanted)) decisions_ = std::move(*found);
    }

    /// A CPU's work-items own whole lines, if nothing else is requested and the lines fit.
    [[nodiscard]] std::optional<FftPlan> plan_by_lanes() const
    {
        const std::vector<std::string> shared = unfit_for_owned_lines(requested_);
        const bool suits = traits_.is_cpu && !decisions_.residence && shared.empty();
        const int wanted = decisions_.lanes.value_or(suits ? lanes_of(traits_) : 1);
        if (wanted == 1) return std::nullopt;
        if (!shared.empty())
            throw InvalidProblem(fmt::format("lanes={} and {}: that is for work-items that share lines; use lanes=1",
                                             wanted, shared.front()));
        auto plan = plan_lanes(problem_, traits_, decisions_);
        const auto what_lanes_take = [] {
            return fmt::format(
                "rows are multiples of {} that end with radix {}, and fit local memory; lines have at most {} "
                "stages of radices up to {}",
                kLanes * kLanes, kLanes, kMaxLaneStages, kMaxForcedLaneRadix);
        };
        if (!plan && decisions_.lanes)
            throw InvalidProblem(fmt::format("lanes={}: no such lines: {}; use lanes=1", wanted, what_lanes_take()));
        if (!plan && shapes_are_decided(requested_))
            reasons_.push_back(fmt::format("work-items share lines: in lanes, {}", what_lanes_take()));
        return plan;
    }

    /// A pass as local_shape() needs it.
    struct PassShape {
        const std::vector<int>& radices;
        bool rows;  ///< or columns
        int lines;  ///< a work-group
        const ShapeRequest& requested;
    };
    /// The shape of a pass in a work-group of this device, or none.
    [[nodiscard]] std::optional<LocalLine> local_shape(const PassShape& pass) const
    {
        LocalLineRequest request;
        request.scalar_bytes = static_cast<int>(scalar_bytes(problem_.precision));
        request.items = pass.requested.items;
        request.exchange = pass.requested.exchange;
        request.radices = pass.radices;
        request.paired_last = pass.rows;
        request.lines = pass.lines;
        request.local_memory = traits_.local_memory;
        request.max_group =
            static_cast<int>(std::min<std::uint64_t>(traits_.max_work_group, traits_.is_cpu ? 256 : 512));
        request.banks = decisions_.padding || !traits_.is_cpu;
        if (decisions_.padding) request.pad = decisions_.padding->cells;
        if (!pass.rows) request.order = decisions_.order.value_or(LineOrder::autosort);
        // Registers: 40 complex values leave room for a GPU's compiler. Only a radix that needs more gets more.
        const int largest = *std::max_element(pass.radices.begin(), pass.radices.end());
        for (const int values : {40, 64, 2 * largest}) {
            request.max_values = values;
            if (auto shape = local_line(request)) return shape;
        }
        return std::nullopt;
    }

    /// One axis of the plan, and the requests for it.
    struct PlannedAxis {
        LinePlan& pass;
        Axis& axis;
        AxisProblem along;
        const RadixRequest& request;
        std::string_view name;  ///< "x" or "y"
        ShapeRequest Decisions::*shape;
    };
    /// Throws InvalidProblem if a line would fit a work-group without the shape that is requested of its pass.
    template <class TryLocal>
    void refuse_too_large_shape(const PlannedAxis& planned, TryLocal try_local)
    {
        Decisions shape;
        shape.*planned.shape = requested_.*planned.shape;
        shape.padding = requested_.padding;
        const std::vector<std::string> requests = decided(shape);
        if (requests.empty()) return;
        // plan_variants() says why columns cannot be transformed in place.
        if (planned.shape == &Decisions::columns && decisions_.order == LineOrder::in_place) return;
        const Decisions with_shape = decisions_;
        decisions_.*planned.shape = {};
        decisions_.padding.reset();
        const bool fits = try_local();
        decisions_ = with_shape;
        if (fits)
            throw InvalidProblem(
                fmt::format("{}: a line of {} ({}) then does not fit {} bytes of local memory and {} "
                            "work-items; use less, or residence=global",
                            fmt::join(requests, ", "), planned.axis.length, fmt::join(planned.pass.radices, "."),
                            traits_.local_memory, traits_.max_work_group));
    }

    /// Local if requested or possible, else global. `try_local` fills in the pass and returns whether it fits.
    template <class TryLocal>
    void choose_residence(const PlannedAxis& planned, TryLocal try_local)
    {
        LinePlan& pass = planned.pass;
        const auto line_of = [&](Residence residence) {
            PaddedLine line = padded_line(planned.along, planned.request, decisions_, planned.name, residence);
            pass.radices = std::move(line.radices);
            planned.axis = line.axis;
        };
        // A work-group's kernel with a generic butterfly is unrolled around it and takes minutes to compile.
        const auto generic = [](int radix) { return supported_radix(radix)->butterfly == Butterfly::generic; };
        if (decisions_.residence != Residence::global) {
            line_of(Residence::local);
            const bool any_generic = std::any_of(pass.radices.begin(), pass.radices.end(), generic);
            if ((!any_generic || decisions_.residence == Residence::local) && try_local()) return;
            if (decisions_.residence == Residence::local)
                throw InvalidProblem(fmt::format(
                    "residence=local: a line of {} ({}) does not fit {} bytes of local memory and {} work-items; use "
                    "global",
                    planned.axis.length, fmt::join(pass.radices, "."), traits_.local_memory, traits_.max_work_group));
            if (!any_generic) refuse_too_large_shape(planned, try_local);
            reasons_.push_back(
                fmt::format("{} through global memory: {}", planned.name,
                            any_generic ? "radices above 32 are loops over an array"
                                        : fmt::format("a line of {} does not fit a work-group", planned.axis.length)));
        }
        line_of(Residence::global);
        pass.residence = Residence::global;
    }

    void plan_rows()
    {
        LinePlan& rows = plan_.rows;
        plan_.spectrum.bundle_columns = 4;
        choose_residence({rows, plan_.x, along_x(problem_), decisions_.radix_x, "x", &Decisions::rows}, [&] {
            for (RowGroup group : row_groups(traits_)) {
                group.lines = decisions_.rows.lines.value_or(group.lines);
                group.bundle_columns = decisions_.bundle_columns.value_or(group.bundle_columns);
                const auto shape = local_shape({rows.radices, true, group.lines, decisions_.rows});
                if (!shape) continue;
                // Two lines side by side are good for the column pass, which then reads narrow bundles. But they are
                // not used if they take all of local memory even with split parts, because a single work-group at a
                // time waits for itself.
                const bool crowded = shape->exchange == ExchangeForm::split &&
                                     4 * shape->cells * cell_bytes(*shape) * group.lines > 3 * traits_.local_memory;
                if (group.lines > 1 && crowded && !decisions_.rows.lines) continue;
                rows.local = *shape;
                rows.lines = group.lines;
                plan_.spectrum.bundle_columns = group.bundle_columns;
                return true;
            }
            return false;
        });
        rows.registers = decisions_.rows.registers.value_or(0);
        plan_.spectrum.rows_together = 2 * rows.lines;
        pack();
        plan_rows_back();
    }

    /// The rows back share only length and lines a work-group with the rows.
    void plan_rows_back()
    {
        const ShapeRequest& requested = decisions_.rows_back;
        const int channels = channels_back();
        const bool own = !decisions_.radix_back.empty() || requested.items || requested.exchange ||
                         requested.registers || channels > 1;
        plan_.rows_back = plan_.rows;
        if (!own) return;
        LinePlan& back = plan_.rows_back;
        if (back.residence != Residence::local)
            throw InvalidProblem("back-...: the rows go through global memory, where there and back are the same");
        if (!decisions_.radix_back.empty()) back.radices = decisions_.radix_back;
        if (line_length(back.radices) != plan_.x.length)
            throw InvalidProblem(fmt::format("back-radices={}: the product is {}, and the rows' length {}",
                                             fmt::join(back.radices, "."), line_length(back.radices), plan_.x.length));
        const auto shape = local_shape({back.radices, true, back.lines * channels, requested});
        if (!shape)
            throw InvalidProblem(fmt::format("back-radices={}: {} such lines do not fit a work-group{}",
                                             fmt::join(back.radices, "."), back.lines * channels,
                                             channels > 1 ? "; use storing=channels" : ""));
        back.local = *shape;
        back.registers = requested.registers.value_or(back.registers);
    }

    /// Channels whose lines a work-group of the rows back has. choose_variants() notes it in the plan.
    [[nodiscard]] int channels_back() const
    {
        if (decisions_.storing != Storing::pixels) return 1;
        if (problem_.layout != Layout::interleaved || problem_.channels == 1)
            throw InvalidProblem("storing=pixels: only for interleaved samples of several channels; use channels");
        if (decisions_.packing == Packing::channels)
            throw InvalidProblem("storing=pixels: only where a line has rows of one channel; use packing=rows");
        return plan_.rows.residence == Residence::local ? problem_.channels : 1;
    }

    /// Two channels in a line: half the rows side by side, and twice the columns. choose_variants() notes it in the
    /// plan.
    void pack()
    {
        if (decisions_.packing != Packing::channels) return;
        if (problem_.channels == 1) throw InvalidProblem("packing=channels: the image has one channel; use rows");
        if (plan_.rows.residence != Residence::local)
            throw InvalidProblem("packing=channels: only for rows that a work-group holds; use rows");
        plan_.spectrum.rows_together /= 2;
        plan_.spectrum.bundle_columns *= 2;
    }

    void plan_columns()
    {
        LinePlan& columns = plan_.columns;
        columns.lines = decisions_.columns.lines.value_or(1);
        columns.registers = decisions_.columns.registers.value_or(0);
        if (plan_.spectrum.bundle_columns % columns.lines != 0)
            throw InvalidProblem(fmt::format("column-lines={}: does not divide the {} columns of a bundle",
                                             columns.lines, plan_.spectrum.bundle_columns));
        AxisProblem along = along_y(problem_);
        along.parts = decisions_.column_parts.value_or(1);
        if (const auto why = no_parts_because(problem_, decisions_); along.parts > 1 && !why.empty())
            throw InvalidProblem(fmt::format("column-parts={}: {}; use 1", along.parts, why));
        choose_residence({columns, plan_.y, along, decisions_.radix_y, "y", &Decisions::columns}, [&] {
            const auto shape =
                local_shape({columns.radices, false, decisions_.columns.lines.value_or(1), decisions_.columns});
            if (shape) columns.local = *shape;
            return shape.has_value();
        });
    }

    /// Checks the columns' variants, and makes the choices that go with them.
    void plan_variants()
    {
        const bool global = plan_.columns.residence == Residence::global;
        if (global && decisions_.passes == Passes::fused)
            throw InvalidProblem("passes=fused: columns through global memory take a launch a stage; use separate");
        if (global && decisions_.order == LineOrder::in_place)
            throw InvalidProblem(
                "order=dif-dit: only for columns of radices up to 32 that a work-group holds, and not in ping-pong; "
                "use "
                "autosort");
        if (global && decisions_.product == Product::integrated)
            throw InvalidProblem("product=integrated: only for columns that a work-group holds; use split");
        choose_variants(plan_, decisions_);
        if (global) plan_.passes = Passes::separate;
    }

    void plan_spectrum()
    {
        Spectrum& spectrum = plan_.spectrum;
        const int half = plan_.x.length / 2 + 1;
        spectrum.columns = plan_.joint() ? plan_.x.length : plan_.packing == Packing::channels ? 2 * half : half;
        spectrum.bundles = ceil_div(spectrum.columns, spectrum.bundle_columns);
        spectrum.packs = ceil_div(max_rows(plan_.y), spectrum.rows_together);
    }

    /// Lines through global memory have no shape of a work-group.
    void explain_unused()
    {
        if (!plan_.goes_global()) return;
        for (const std::string& decision : unfit_for_global_lines(requested_))
            reasons_.push_back(fmt::format("{} as requested, but not for lines through global memory", decision));
    }

    const Problem& problem_;
    const DeviceTraits& traits_;
    const Decisions& requested_;
    Decisions decisions_;  ///< the requested ones, later also those that a search found
    Programs programs_;
    std::vector<std::string>& reasons_;
    FftPlan plan_;
};

}  // namespace

int max_rows(const Axis& y)
{
    constexpr int of_an_operator = 3;  // such as a Laplacian, beside a PSF that may have fewer
    return std::max({y.count, y.output, y.psf_count, y.is_ring ? std::min(of_an_operator, y.length) : 0});
}

FftPlan plan_fft(const Problem& problem, const DeviceTraits& traits, const Decisions& decisions, Programs programs,
                 std::vector<std::string>& reasons)
{
    return Planner(problem, traits, decisions, programs, reasons).plan();
}

}  // namespace clconv
