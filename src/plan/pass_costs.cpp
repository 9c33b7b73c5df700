// SPDX-License-Identifier: Apache-2.0
#include "plan/pass_costs.h"

#include "fft/factorize.h"
#include "plan/cost.h"
#include "plan/gpu_grouping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace clconv {
namespace {

/// What a modelled time counts more than a measured one.
constexpr double kUnproven = 1.1;
/// What a pass counts more that was measured on a related device alone.
constexpr double kRelated = 1.04;
/// What a length or a shape counts more, besides kUnproven, if it was not measured and is not the model's own choice.
constexpr double kUnprovenLength = 1.25;
/// A record of interleaved samples does not say how many channels the image had.
constexpr int kChannelsOfColour = 3;
/// Records that give the scale of the model, of each kind of pass. More cost time and change little.
constexpr std::size_t kForScale = 64;
/// Lines that move fewer bytes may lie in a GPU's cache, and one line more takes less time there than outside. So times
/// of more lines do not follow from them alone. Twice the 50 MB of an NVIDIA H100. A device is not asked, since
/// NVIDIA's driver does not count its second cache.
constexpr double kInsideCache = 100e6;
/// How much of the time that units wait for the busiest one is lost; the rest goes to those that still work.
constexpr double kLost = 0.6;
/// Work-groups for each unit, from which on units no longer run in step, and wait for half a work-group on average.
constexpr double kInStep = 8;

std::size_t index_of(PassKind kind) { return static_cast<std::size_t>(kind); }

/// Operations: the stages, and for each value what the passes load and store.
double lane_model(const LinePass& pass, double lines)
{
    double stages = 0;
    for (const int radix : pass.radices) stages += lane_stage_cost(radix);
    constexpr double memory = 20;  // a third of pass_cost() of spectra that fit the cache
    const double directions = pass.kind == PassKind::columns ? 2 : 1;
    return lines * line_length(pass.radices) * (directions * stages + memory);
}

double gpu_line_bytes(const PassLoad& load)
{
    const double samples = load.pass.kind == PassKind::columns
                               ? static_cast<double>(stored_complex_bytes(load.pass.precision))
                               : static_cast<double>(bytes_of(load.pass.samples));
    return 2.0 * load.filled * samples;
}

/// A pass as gpu_cost.h sees it. `values` stays 1 and `work` 0 if no work-group can have this shape.
GpuPass gpu_pass(const PassLoad& load, const DeviceTraits& traits)
{
    const LinePass& pass = load.pass;
    GpuPass gpu;
    gpu.columns = pass.kind == PassKind::columns;
    gpu.radices = pass.radices;
    gpu.items = pass.items;
    gpu.lines = pass.lines * pass.channels;
    if (pass.kind == PassKind::rows_back && pass.layout == Layout::interleaved && pass.channels == 1)
        gpu.sample_step = gpu_sample_step(pass.samples, kChannelsOfColour);
    gpu.split = pass.exchange == ExchangeForm::split;
    gpu.bundle_columns = pass.bundle_columns;
    gpu.rows_together = pass.rows_together;
    gpu.scalar_bytes = static_cast<int>(scalar_bytes(pass.precision));
    gpu.stored_bytes = static_cast<int>(stored_complex_bytes(pass.precision));
    gpu.line_bytes = gpu_line_bytes(load);
    gpu.lines_in_all = load.lines;
    LocalLineRequest request;
    request.radices = pass.radices;
    request.paired_last = !gpu.columns;
    request.scalar_bytes = gpu.scalar_bytes;
    request.max_group = static_cast<int>(std::min<std::uint64_t>(traits.max_work_group, 1024));
    request.max_values = std::max(64, 2 * *std::max_element(pass.radices.begin(), pass.radices.end()));
    request.items = pass.items;
    const std::vector<LineLoad> shared = line_loads(request);
    if (shared.empty()) return gpu;
    gpu.values = shared.front().values;
    gpu.work = shared.front().work;
    return gpu;
}

/// The pass that stands in where this one was not measured. Rows load interleaved samples nearly as fast as planar
/// ones, but rows back store floats of one channel apart in 1.4 times the time, so those of several channels have none.
std::optional<LinePass> stand_in(const PassLoad& load)
{
    LinePass pass = load.pass;
    if (load.one_channel && pass.kind != PassKind::columns)
        pass.layout = Layout::interleaved;
    else if (pass.kind == PassKind::rows && pass.layout == Layout::interleaved)
        pass.layout = Layout::planar;
    else
        return std::nullopt;
    return pass;
}

double gpu_model(const PassLoad& load, const DeviceTraits& traits)
{
    const GpuPass pass = gpu_pass(load, traits);
    return pass.work > 0 ? gpu_pass_ns(pass) : gpu_line_ns(pass);
}

}  // namespace

double line_bytes(const PassRecord& record)
{
    const LinePass& pass = record.pass;
    const auto stored = static_cast<double>(stored_complex_bytes(pass.precision));
    const double spectrum = pass.kind == PassKind::columns ? 0 : stored * (line_length(pass.radices) + 2.0);
    return gpu_line_bytes({pass, 1, record.filled}) + spectrum;
}

double model_ns(const PassLoad& load, const DeviceTraits& traits)
{
    return load.pass.lanes > 1 ? lane_model(load.pass, load.lines) : gpu_model(load, traits);
}

std::vector<GpuCostTerm> model_terms(const PassLoad& load, const DeviceTraits& traits)
{
    const GpuPass pass = load.pass.lanes > 1 ? GpuPass() : gpu_pass(load, traits);
    return pass.work > 0 ? gpu_pass_terms(pass) : std::vector<GpuCostTerm>();
}

PassCosts::PassCosts(std::vector<PassRecord> records, const DeviceTraits& traits, std::uint64_t compute_units)
    : traits_(traits), compute_units_(compute_units), times_(in_busy_lines(std::move(records)))
{
    std::array<std::vector<double>, 3> ratios;
    std::vector<double> all;
    for (const auto& known : times_.records()) measured_lengths_.insert(length_of(known.first));
    const std::size_t step = 1 + times_.records().size() / (kForScale * ratios.size());
    std::size_t i = 0;
    for (const auto& [pass, record] : times_.records()) {
        if (i++ % step != 0) continue;
        const PassPoint& point = record.points.back();
        const double ratio = point.ns / model_ns({pass, point.lines, record.filled}, traits);
        ratios[index_of(pass.kind)].push_back(ratio);
        all.push_back(ratio);
    }
    for (std::size_t kind = 0; kind < ratios.size() && !all.empty(); ++kind)
        scale_[kind] = median(ratios[kind].empty() ? all : ratios[kind]);
    for (const PassKind kind : kPassKinds) {
        launch_ns_[index_of(kind)] = launch_ns(kind);
        outside_gb_s_[index_of(kind)] = gb_s_outside_cache(kind);
    }
}

/// The lines that would take as long if all units were busy until the end.
double PassCosts::busy_lines(const LinePass& pass, double lines) const
{
    if (pass.lanes > 1 || compute_units_ == 0) return lines;
    const double at_once = static_cast<double>(compute_units_) * pass.lines * pass.channels;
    if (lines > kInStep * at_once) return lines + kLost / 2 * at_once;
    return lines + kLost * (std::ceil(lines / at_once) * at_once - lines);
}

std::vector<PassRecord> PassCosts::in_busy_lines(std::vector<PassRecord> records) const
{
    for (PassRecord& record : records)
        for (PassPoint& point : record.points) point.lines = busy_lines(record.pass, point.lines);
    return records;
}

/// What passes that were measured with several numbers of lines take for none; else the model's.
double PassCosts::launch_ns(PassKind kind) const
{
    std::vector<double> found;
    for (const auto& [pass, record] : times_.records()) {
        if (pass.kind != kind || record.points.size() < 2) continue;
        const PassPoint &few = record.points.front(), &many = record.points.back();
        found.push_back(few.ns - few.lines * (many.ns - few.ns) / (many.lines - few.lines));
    }
    if (found.empty()) return scale_[index_of(kind)] * gpu_launch_ns(kind == PassKind::columns);
    return std::max(0.0, median(std::move(found)));
}

double PassCosts::gb_s_outside_cache(PassKind kind) const
{
    std::vector<double> found;
    for (const auto& [pass, record] : times_.records()) {
        const double bytes = record.points.back().lines * line_bytes(record);
        if (pass.kind == kind && bytes >= kInsideCache) found.push_back(bytes / record.points.back().ns);
    }
    return found.empty() ? 0 : median(std::move(found));
}

double PassCosts::min_ns_outside_cache(const PassRecord& record, double lines) const
{
    const PassPoint& last = record.points.back();
    const double gb_s = outside_gb_s_[index_of(record.pass.kind)];
    const double in_proportion = last.ns * lines / last.lines;
    if (last.lines * line_bytes(record) >= kInsideCache || lines <= last.lines) return 0;
    return gb_s > 0 ? std::min(in_proportion, lines * line_bytes(record) / gb_s) : in_proportion;
}

const PassRecord* PassCosts::record_of(const PassLoad& load) const
{
    const PassRecord* own = times_.find(load.pass);
    const std::optional<LinePass> other = stand_in(load);
    return own || !other ? own : times_.find(*other);
}

bool PassCosts::knows_length_of(const PassLoad& load) const
{
    const std::optional<LinePass> other = stand_in(load);
    return measured_lengths_.contains(length_of(load.pass)) || (other && measured_lengths_.contains(length_of(*other)));
}

PassCost PassCosts::cost(const PassLoad& load) const
{
    return cost(load, record_of(load) ? 0 : model_ns(load, traits_));
}

PassCost PassCosts::cost(const PassLoad& load, double model_ns) const
{
    const double scale = scale_[index_of(load.pass.kind)];
    const PassRecord* record = record_of(load);
    if (!record) return {.ns = model_ns * scale * kUnproven, .others_measured = knows_length_of(load)};
    const bool is_gpu = load.pass.lanes == 1;
    const bool columns = load.pass.kind == PassKind::columns;
    const double lines = busy_lines(load.pass, load.lines);
    double ns = ns_for(record->points, lines, is_gpu ? launch_ns_[index_of(load.pass.kind)] : 0);
    if (is_gpu) {
        ns = std::max(ns, min_ns_outside_cache(*record, lines));
        const PassLoad as_measured{load.pass, load.lines, record->filled};
        const double bytes = (gpu_line_bytes(load) - gpu_line_bytes(as_measured)) * load.lines;
        ns = std::max(ns / 2, ns + scale * gpu_bytes_ns(columns, bytes));
    }
    return {.ns = record->related ? kRelated * ns : ns, .measured = true, .related = record->related};
}

PassCosts::LengthOfPass PassCosts::length_of(const LinePass& pass)
{
    return {
        pass.kind,  line_length(pass.radices), pass.bundle_columns, pass.rows_together, pass.precision, pass.samples,
        pass.layout};
}

namespace {

std::string_view source_of(const PassCost& cost)
{
    return !cost.measured ? "modelled" : cost.related ? "measured on a related device" : "measured";
}

}  // namespace

double price(const PassCost& cost, bool is_planned_length)
{
    const bool is_likely = cost.measured || (is_planned_length && !cost.others_measured);
    return is_likely ? cost.ns : kUnprovenLength * cost.ns;
}

PassLoad load_of(PassKind kind, const Problem& problem, const FftPlan& fft, int row_length)
{
    PassLoad load{line_pass(kind, problem, fft), lines_of(kind, problem, row_length), filled_of(kind, problem)};
    load.one_channel = problem.channels == 1;
    if (kind != PassKind::columns || fft.y.parts == 1) return load;
    load.lines *= fft.y.parts;
    load.filled = (fft.y.loaded + fft.y.part) / 2;
    if (!fft.by_lanes()) load.burden = burden_of(fft.y.parts);
    return load;
}

std::vector<PassLoad> loads_of(const Problem& problem, const FftPlan& fft)
{
    std::vector<PassLoad> loads;
    for (const PassKind kind : kPassKinds) loads.push_back(load_of(kind, problem, fft, fft.x.length));
    return loads;
}

PassSum sum_of(const Problem& problem, const FftPlan& fft, const PassCosts& costs, std::optional<Extent> planned)
{
    PassSum sum;
    for (const PassLoad& load : loads_of(problem, fft)) {
        PassCost cost = costs.cost(load);
        cost.ns *= load.burden;
        sum.ns += cost.ns;
        sum.price +=
            price(cost, !planned || line_length(load.pass.radices) == planned_length(load.pass.kind, *planned));
        sum.measured += cost.measured;
        if (load.pass.kind == PassKind::columns) sum.columns_measured = cost.measured;
        sum.words += fmt::format("{}{} {:.3g} ms {}", sum.words.empty() ? "" : ", ", to_string(load.pass),
                                 cost.ns * 1e-6, source_of(cost));
    }
    return sum;
}

}  // namespace clconv
