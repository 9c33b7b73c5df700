// SPDX-License-Identifier: Apache-2.0
#include "plan/gpu_decisions.h"

#include "fft/factorize.h"
#include "fft/local_line.h"
#include "plan/gpu_cost.h"
#include "plan/gpu_grouping.h"
#include "plan/gpu_lines.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace clconv {
namespace {

constexpr int kMaxValues = 48;           ///< complex values a work-item; 96 registers, and the compiler's own
constexpr std::size_t kCandidates = 24;  ///< lines of an axis that are examined closely
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// A line in one order of its radices, and the work-items that may share it.
struct Candidate {
    std::vector<int> radices;
    int length = 0;
    std::vector<LineLoad> loads;
};
using Candidates = std::vector<Candidate>;

/// The best shape of a pass.
struct Choice {
    std::vector<int> radices;
    int items = 0;                         ///< 0: none fits
    std::optional<ExchangeForm> exchange;  ///< if it is not the one that any line of this length has
    double ns = kInfinite;
    Storing storing = Storing::channels;  ///< of rows back
};

/// What a shape is for.
struct Use {
    bool back = false;      ///< rows back
    bool measured = false;  ///< only a pass that was
};

/// Columns in a number of parts.
struct CutColumns {
    AxisProblem along;
    Candidates lines;
    bool measured;  ///< only passes that were
};
struct CutChoice : Choice {
    int parts = 1;
    double price = kInfinite;
};

class Search {
public:
    /// `measured`: passes; null: the model alone.
    Search(const Problem& problem, const DeviceTraits& traits, const Decisions& requested,
           const MeasuredPasses* measured = nullptr)
        : problem_(problem),
          traits_(traits),
          requested_(requested),
          measured_(measured),
          output_(output_extent(problem))
    {
    }

    /// Columns in parts only by passes that were measured, or if no work-group holds a whole column.
    std::optional<Decisions> best() const
    {
        if (auto found = best_of(cut_columns(measured_ != nullptr, true))) return found;
        return best_of(cut_columns(true, false));
    }

    std::optional<Decisions> best_of(const std::vector<CutColumns>& columns) const
    {
        Candidates any_rows = candidates(sequences_of(along_x(problem_), requested_.radix_x, requested_), rows_pass());
        add_measured(any_rows, along_x(problem_), false);
        std::map<int, Candidates> rows;  // by length, which rows there and back share
        for (Candidate& c : any_rows) rows[c.length].push_back(std::move(c));

        double minimum = kInfinite;
        std::optional<Decisions> found;
        for (const Grouping& grouping : groupings_for(requested_)) {
            const CutChoice any_column = choice_of(columns, grouping, 1);
            for (const auto& [length, there] : rows) {
                const Choice row = choice(there, rows_pass(), grouping, requested_.rows);
                const Choice back = choice_back(there, grouping);
                // The model alone counts a launch for each column, which favours short rows. Counted once, plans were
                // no faster on an NVIDIA H100 (docs/measurements/2026-11-26-h100.md).
                const CutChoice column = measured_ ? choice_of(columns, grouping, length / 2 + 1) : any_column;
                const double ns = row.ns + back.ns + column.price * (measured_ ? 1 : length / 2 + 1);
                if (ns >= minimum) continue;
                minimum = ns;
                found = decided(grouping, row, column, back);
                if (column.parts > 1) found->column_parts = column.parts;
            }
        }
        return found;
    }

    /// See gpu_shapes().
    [[nodiscard]] std::vector<Decisions> shapes(Extent lengths, const ShapeCounts& counts) const
    {
        const std::vector<int> radices = straight_radices(largest_automatic(requested_));
        const auto lines_of_length = [&](int length, const GpuPass& pass) {
            return candidates(descending_sequences(radices, length, length), pass);
        };
        const GpuPass columns = columns_pass(along_y(problem_), lengths.width / 2 + 1);
        const Candidates row_lines = lines_of_length(lengths.width, rows_pass());
        const Candidates column_lines = with_largest_outside(lines_of_length(lengths.height, columns));
        std::vector<Decisions> found;
        for (const Grouping& grouping : gpu_groupings()) {
            const std::vector<Choice> rows = choices(row_lines, rows_pass(), grouping, counts.rows, {});
            const std::vector<Choice> back = shapes_back(row_lines, grouping, counts.rows);
            // Bundles of four columns and four rows were never the fastest for columns on an NVIDIA H100.
            const bool is_large = grouping.row_lines * grouping.bundle_columns > 4;
            const std::vector<Choice> column = is_large ? choices(column_lines, columns, grouping, counts.rows, {})
                                                        : column_shapes(column_lines, columns, grouping, counts);
            if (rows.empty() || back.empty() || column.empty()) continue;
            if (is_narrow(grouping) && !found.empty() && found.back().columns.lines == 2) continue;
            const auto at = [](const std::vector<Choice>& shapes, std::size_t i) {
                return shapes[i < shapes.size() ? i : 0];
            };
            for (std::size_t i = 0; i < std::max({rows.size(), back.size(), column.size()}); ++i)
                found.push_back(decided(grouping, at(rows, i), at(column, i), at(back, i)));
        }
        return found;
    }

    /// The best shape of a line of just this length.
    [[nodiscard]] Choice of_length(int length, bool columns, const Grouping& grouping) const
    {
        GpuPass pass = columns ? columns_pass(along_y(problem_)) : rows_pass();
        if (columns) pass.lines_in_all *= length / 2.0 + 1;
        const auto found = descending_sequences(straight_radices(largest_automatic(requested_)), length, length);
        return choice(candidates(found, pass), pass, grouping, {});
    }

private:
    [[nodiscard]] GpuPass any_pass() const
    {
        GpuPass pass;
        pass.scalar_bytes = static_cast<int>(scalar_bytes(problem_.precision));
        pass.stored_bytes = static_cast<int>(stored_complex_bytes(problem_.precision));
        return pass;
    }
    /// Both row passes, of `width` samples in lines of two rows; bytes and values for a length of 1.
    [[nodiscard]] GpuPass any_rows(Extent extent, SampleType type) const
    {
        GpuPass pass = any_pass();
        pass.line_bytes = 2.0 * extent.width * static_cast<double>(bytes_of(type));
        pass.lines_in_all = static_cast<double>(problem_.channels) * extent.height / 2;
        return pass;
    }
    [[nodiscard]] GpuPass rows_pass() const { return any_rows(problem_.image, problem_.input); }
    [[nodiscard]] GpuPass back_pass(Storing storing) const
    {
        GpuPass pass = any_rows(output_, problem_.output);
        pass.channels = storing == Storing::pixels ? problem_.channels : 1;
        if (problem_.layout == Layout::interleaved && storing == Storing::channels)
            pass.sample_step = gpu_sample_step(problem_.output, problem_.channels);
        return pass;
    }
    /// The ways to store that may be the fastest: whole pixels only win where a channel's samples are far apart.
    [[nodiscard]] std::vector<Storing> storings() const
    {
        if (requested_.storing) return {*requested_.storing};
        const bool apart = back_pass(Storing::channels).sample_step > 1;
        const bool one_channel_a_line = requested_.packing.value_or(Packing::rows) == Packing::rows;
        if (apart && one_channel_a_line) return {Storing::channels, Storing::pixels};
        return {Storing::channels};
    }
    /// The best shapes of rows back, which store whole pixels, if that is a way to store and some fit a work-group.
    [[nodiscard]] std::vector<Choice> shapes_back(const Candidates& lines, const Grouping& grouping,
                                                  std::size_t count) const
    {
        std::vector<Choice> found;
        const std::vector<Storing> ways = storings();
        for (auto way = ways.rbegin(); found.empty() && way != ways.rend(); ++way) {
            found = choices(lines, back_pass(*way), grouping, count, {});
            for (Choice& choice : found) choice.storing = *way;
        }
        return found;
    }

    /// `columns` in all channels; 1: the caller knows how many columns there are.
    [[nodiscard]] GpuPass columns_pass(const AxisProblem& along, int columns = 1) const
    {
        GpuPass pass = any_pass();
        pass.columns = true;
        pass.line_bytes = 2.0 * pass.stored_bytes * filled_column(along);
        pass.lines_in_all = static_cast<double>(problem_.channels) * columns * along.parts;
        return pass;
    }

    /// `in_parts`: not only whole columns. `measured`: parts only by passes that were.
    [[nodiscard]] std::vector<CutColumns> cut_columns(bool in_parts, bool measured) const
    {
        std::vector<CutColumns> found;
        AxisProblem along = along_y(problem_);
        for (const int parts : column_parts(problem_, requested_)) {
            const bool is_open = parts > 1 && !requested_.column_parts;
            if (is_open && !in_parts) break;
            along.parts = parts;
            Candidates lines = candidates(sequences_of(along, requested_.radix_y, requested_), columns_pass(along));
            add_measured(lines, along, true);
            found.push_back({along, std::move(lines), is_open && measured});
        }
        return found;
    }

    [[nodiscard]] CutChoice choice_of(const std::vector<CutColumns>& columns, const Grouping& grouping,
                                      int column_count) const
    {
        CutChoice best;
        for (const CutColumns& cut : columns) {
            const Choice found = choice(cut.lines, columns_pass(cut.along, column_count), grouping, requested_.columns,
                                        {.measured = cut.measured});
            const double price = found.ns * burden_of(cut.along.parts);
            if (price < best.price) best = {{found}, cut.along.parts, price};
        }
        return best;
    }

    /// Adds the lines of passes that were measured, if they are long enough and not much longer than needed.
    void add_measured(Candidates& candidates, const AxisProblem& axis, bool columns) const
    {
        if (!measured_) return;
        const int minimum = padded_axis(axis).length;
        const auto circular = circular_axis(axis);
        for (const auto& known : measured_->costs.times().records()) {
            const LinePass& pass = known.first;
            if (pass.lanes > 1 || pass.precision != problem_.precision) continue;
            if ((pass.kind == PassKind::columns) != columns || !admits(requested_, columns, pass.radices)) continue;
            const int length = line_length(pass.radices);
            const bool fits = length >= minimum && length <= minimum + minimum / 4 + 16;
            if (!fits && !(circular && circular->length == length)) continue;
            const auto same = [&](const Candidate& line) { return line.radices == pass.radices; };
            if (std::any_of(candidates.begin(), candidates.end(), same)) continue;
            candidates.push_back({pass.radices, length, line_loads(line_request(pass.radices, columns))});
        }
    }

    /// The time of a shape: by the model, or as measured. `back`: of rows. `must_be_known`: no pass that was not
    /// measured.
    [[nodiscard]] double ns_of(const GpuPass& pass, ExchangeForm form, bool back, bool must_be_known) const
    {
        const double model = gpu_pass_ns(pass);
        if (!measured_) return model;
        PassLoad load{{}, pass.lines_in_all};
        load.one_channel = problem_.channels == 1;
        load.pass.kind = pass.columns ? PassKind::columns : back ? PassKind::rows_back : PassKind::rows;
        load.filled = pass.columns ? static_cast<int>(pass.line_bytes / (2.0 * pass.stored_bytes))
                                   : filled_of(load.pass.kind, problem_);
        load.pass.radices.assign(pass.radices.begin(), pass.radices.end());
        load.pass.items = pass.items;
        load.pass.lines = pass.lines / pass.channels;
        load.pass.channels = pass.channels;
        load.pass.exchange = form;
        load.pass.bundle_columns = pass.bundle_columns;
        load.pass.rows_together = pass.rows_together;
        load.pass.precision = problem_.precision;
        if (!pass.columns) {
            load.pass.samples = back ? problem_.output : problem_.input;
            load.pass.layout = layout_of_rows(problem_);
        }
        const PassCost cost = measured_->costs.cost(load, model);
        if (must_be_known && !cost.measured) return kInfinite;
        return price(cost, line_length(load.pass.radices) == planned_length(load.pass.kind, measured_->planned));
    }

    [[nodiscard]] LocalLineRequest line_request(const std::vector<int>& radices, bool columns) const
    {
        LocalLineRequest request;
        request.radices = radices;
        request.paired_last = !columns;
        request.scalar_bytes = static_cast<int>(scalar_bytes(problem_.precision));
        request.max_group = static_cast<int>(std::min<std::uint64_t>(traits_.max_work_group, 512));
        request.max_values = std::max(kMaxValues, 2 * radices.back());
        return request;
    }

    /// The cheapest sequences, judged without shapes, each in its orders.
    [[nodiscard]] Candidates candidates(const std::vector<std::vector<int>>& sequences, GpuPass pass) const
    {
        std::vector<std::pair<double, const std::vector<int>*>> rated;
        for (const auto& sequence : sequences) {
            pass.radices = sequence;
            rated.emplace_back(gpu_line_ns(pass), &sequence);
        }
        const std::size_t kept = std::min(rated.size(), kCandidates);
        std::partial_sort(rated.begin(), rated.begin() + static_cast<std::ptrdiff_t>(kept), rated.end());
        Candidates found;
        for (std::size_t i = 0; i < kept; ++i)
            for (std::vector<int>& order : orders(*rated[i].second, pass.columns)) {
                const int length = line_length(order);
                found.push_back({order, length, line_loads(line_request(order, pass.columns))});
            }
        return found;
    }

    /// The orders to try. The last stage of rows has butterflies in pairs, so each radix is last once. A requested
    /// sequence or order stays unchanged. docs/decisions/004-order-of-radices.md
    [[nodiscard]] std::vector<std::vector<int>> orders(const std::vector<int>& sequence, bool columns) const
    {
        std::vector<std::vector<int>> found{sequence};
        if (columns || requested_.radix_order || !requested_.radix_x.sequence.empty()) return found;
        for (std::size_t s = 0; s + 1 < sequence.size(); ++s) {
            if (sequence[s] == sequence[s + 1]) continue;
            const auto moved = static_cast<std::ptrdiff_t>(s);
            std::vector<int> order = sequence;
            std::rotate(order.begin() + moved, order.begin() + moved + 1, order.end());
            found.push_back(std::move(order));
        }
        return found;
    }

    /// Each line of columns, and the same with its two largest radices at the ends. The model does not tell them apart.
    /// On an NVIDIA H100 and H200, either was up to a fifth faster (docs/decisions/004-order-of-radices.md).
    [[nodiscard]] Candidates with_largest_outside(const Candidates& lines) const
    {
        Candidates found;
        for (const Candidate& line : lines) {
            found.push_back(line);
            std::vector<int> order = line.radices;
            if (order.size() > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
            if (order != line.radices) found.push_back({order, line.length, line_loads(line_request(order, true))});
        }
        return found;
    }

    /// The best shapes of one pass, one for each order of radices.
    [[nodiscard]] std::vector<Choice> choices(const Candidates& candidates, const GpuPass& pass,
                                              const Grouping& grouping, std::size_t count,
                                              const ShapeRequest& requested) const
    {
        std::vector<Choice> found;
        for (const Candidate& candidate : candidates) {
            Choice best = choice({candidate}, pass, grouping, requested);
            if (best.items > 0) found.push_back(std::move(best));
        }
        std::stable_sort(found.begin(), found.end(), [](const Choice& a, const Choice& b) { return a.ns < b.ns; });
        if (found.size() > count) found.resize(count);
        return found;
    }

    [[nodiscard]] std::vector<Choice> column_shapes(const Candidates& lines, const GpuPass& pass,
                                                    const Grouping& grouping, const ShapeCounts& counts) const
    {
        std::vector<Choice> found = choices(lines, pass, grouping, counts.columns, {});
        ShapeRequest split;
        split.exchange = ExchangeForm::split;
        for (Choice& shape : choices(lines, pass, grouping, counts.split_columns, split))
            if (shape.exchange) found.push_back(std::move(shape));  // else lines are split anyway
        return found;
    }

    [[nodiscard]] Choice choice(const Candidates& candidates, GpuPass pass, const Grouping& grouping,
                                const ShapeRequest& requested, const Use& use = {}) const
    {
        Choice best;
        pass.lines = pass.columns ? grouping.column_lines : grouping.row_lines * pass.channels;
        pass.bundle_columns = grouping.bundle_columns;
        pass.rows_together = 2 * grouping.row_lines;
        for (const Candidate& candidate : candidates) consider(candidate, pass, requested, use, best);
        return best;
    }

    /// All shapes of one line; the best one so far stays in `best`.
    void consider(const Candidate& line, const GpuPass& pass, const ShapeRequest& requested, const Use& use,
                  Choice& best) const
    {
        const double whole_bytes = 2.0 * pass.scalar_bytes * line.length * pass.lines;
        const bool fits = whole_bytes <= static_cast<double>(traits_.local_memory);
        const ExchangeForm whole_or_split = fits ? ExchangeForm::whole : ExchangeForm::split;
        const ExchangeForm form = requested.exchange.value_or(whole_or_split);
        consider_form(line, pass, requested, {form, form == whole_or_split, use}, best);
        // The model has no reason to split what fits; measured times have.
        if (measured_ && fits && !requested.exchange)
            consider_form(line, pass, requested, {ExchangeForm::split, false, use}, best);
    }

    struct Form {
        ExchangeForm exchange;
        bool is_default;  ///< what the planner gives any line of this length
        Use use;
    };
    void consider_form(const Candidate& line, GpuPass pass, const ShapeRequest& requested, const Form& form,
                       Choice& best) const
    {
        pass.split = form.exchange == ExchangeForm::split;
        const double buffers = form.exchange == ExchangeForm::ping_pong ? 2 : pass.split ? 0.5 : 1;
        const double bytes = 2.0 * pass.scalar_bytes * line.length * pass.lines * buffers;
        if (bytes > static_cast<double>(traits_.local_memory)) return;
        pass.radices = line.radices;
        LocalLineRequest request = line_request(line.radices, pass.columns);
        request.items = requested.items;
        for (const LineLoad& load : requested.items ? line_loads(request) : line.loads) {
            if (load.items * pass.lines > request.max_group) continue;
            pass.items = load.items;
            pass.values = load.values;
            pass.work = load.work;
            const bool is_unlikely = measured_ && !form.is_default && !requested.exchange;
            const double ns = ns_of(pass, form.exchange, form.use.back, form.use.measured || is_unlikely);
            if (ns >= best.ns) continue;
            best = {line.radices, load.items, {}, ns};
            if (!form.is_default) best.exchange = form.exchange;
        }
    }

    [[nodiscard]] Choice choice_back(const Candidates& there, const Grouping& grouping) const
    {
        Choice best;
        for (const Storing storing : storings()) {
            Choice found = choice_back(there, grouping, storing);
            found.storing = storing;
            if (found.ns < best.ns) best = std::move(found);
        }
        return best;
    }

    /// The rows back: as requested, or with the items of forced rows, or the best of the same length.
    [[nodiscard]] Choice choice_back(const Candidates& there, const Grouping& grouping, Storing storing) const
    {
        ShapeRequest requested = requested_.rows_back;
        const std::vector<int>& radices = requested_.radix_back;
        if (radices.empty()) {
            if (!requested.items && !requested_.radix_x.sequence.empty()) requested.items = requested_.rows.items;
            return choice(there, back_pass(storing), grouping, requested, {.back = true});
        }
        if (line_length(radices) != there.front().length) return {};
        return choice({{radices, line_length(radices), line_loads(line_request(radices, false))}}, back_pass(storing),
                      grouping, requested, {.back = true});
    }

    [[nodiscard]] Decisions decided(const Grouping& grouping, const Choice& rows, const Choice& columns,
                                    const Choice& back) const
    {
        Decisions decisions = requested_;
        decisions.radix_x.sequence = rows.radices;
        decisions.radix_y.sequence = columns.radices;
        decisions.radix_back = back.radices;
        decisions.rows.items = rows.items;
        decisions.columns.items = columns.items;
        decisions.rows_back.items = back.items;
        if (rows.exchange) decisions.rows.exchange = rows.exchange;
        if (columns.exchange) decisions.columns.exchange = columns.exchange;
        if (back.exchange) decisions.rows_back.exchange = back.exchange;
        if (back.storing != Storing::channels) decisions.storing = back.storing;
        decisions.rows.lines = grouping.row_lines;
        decisions.columns.lines = grouping.column_lines;
        decisions.bundle_columns = grouping.bundle_columns;
        return decisions;
    }

    const Problem& problem_;
    const DeviceTraits& traits_;
    const Decisions& requested_;
    const MeasuredPasses* measured_;
    Extent output_;
};

}  // namespace

std::optional<Decisions> gpu_decisions(const Problem& problem, const DeviceTraits& traits, const Decisions& requested,
                                       const MeasuredPasses* measured)
{
    return Search(problem, traits, requested, measured).best();
}

std::vector<Decisions> gpu_shapes(const Problem& problem, const DeviceTraits& traits, Extent lengths,
                                  const ShapeCounts& counts)
{
    Decisions fft;
    fft.method = Method::fft;
    fft.programs = Programs::special;
    return Search(problem, traits, fft).shapes(lengths, counts);
}

std::optional<MenuLine> gpu_menu_line(int length, bool columns, Precision precision, const DeviceTraits& traits)
{
    Problem square;  // any that has such lines: a line's shape must not depend on the image around it
    square.image = {length, length};
    square.channels = 3;
    square.psf = {1, 1};
    square.border = Border::zero;
    square.precision = precision;
    const Decisions nothing;
    const Search search(square, traits, nothing);
    for (const int lines : columns ? std::vector{2, 1} : std::vector{1}) {
        const Choice choice = search.of_length(length, columns, {1, kMenuBundleColumns, columns ? lines : 1});
        if (choice.items > 0) return MenuLine{choice.radices, choice.items, lines, choice.ns};
    }
    return std::nullopt;
}

}  // namespace clconv
