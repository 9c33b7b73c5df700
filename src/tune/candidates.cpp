// SPDX-License-Identifier: Apache-2.0
#include "tune/candidates.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "fft/lane_line.h"
#include "fft/radix.h"
#include "plan/cost.h"
#include "plan/gpu_grouping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <span>

namespace clconv {
namespace {

std::string_view key_of(std::string_view decision) { return decision.substr(0, decision.find('=')); }

std::string radices_decision(std::string_view key, const std::vector<int>& radices)
{
    return fmt::format("{}={}", key, fmt::join(radices, "."));
}

/// All ascending sequences of at most `maximum` radices whose product is `length`.
std::vector<std::vector<int>> ascending_sequences(int length, std::span<const int> radices, std::size_t maximum)
{
    if (length == 1) return {{}};
    std::vector<std::vector<int>> found;
    for (std::size_t i = 0; i < radices.size() && maximum > 0; ++i) {
        if (length % radices[i] != 0) continue;
        for (std::vector<int>& rest : ascending_sequences(length / radices[i], radices.subspan(i), maximum - 1)) {
            rest.insert(rest.begin(), radices[i]);
            found.push_back(std::move(rest));
        }
    }
    return found;
}

struct Sequence {
    std::vector<int> radices;
    double cost = 0;
};

/// A few orders of one multiset: descending, ascending, the largest in the middle, the largest last but one.
std::vector<std::vector<int>> orders(std::vector<int> radices)
{
    std::vector<std::vector<int>> result;
    const auto add = [&](const std::vector<int>& order) {
        if (std::find(result.begin(), result.end(), order) == result.end()) result.push_back(order);
    };
    std::sort(radices.begin(), radices.end(), std::greater<>());
    add(radices);
    add({radices.rbegin(), radices.rend()});
    for (std::size_t i = 1; i < radices.size(); ++i) {
        std::rotate(radices.begin(), radices.begin() + 1, radices.end());
        add(radices);
    }
    return result;
}

/// Questions about the shapes of work-groups.
std::vector<Question> shape_questions(const FftPlan& plan, const DeviceTraits& traits)
{
    std::vector<Question> list;
    Question bundles{Topic::shape, "lines a work-group and columns a bundle", {}};
    for (const auto& [rows, bundle, columns] :
         {std::tuple{1, 4, 1}, {2, 2, 1}, {1, 4, 2}, {2, 4, 1}, {2, 2, 2}, {2, 4, 2}, {1, 8, 1}, {4, 2, 1}})
        bundles.answers.push_back({fmt::format("row-lines={}", rows), fmt::format("tile-columns={}", bundle),
                                   fmt::format("column-lines={}", columns)});
    list.push_back(bundles);

    const auto items = [&](std::string_view key, const LinePlan& pass, int length) {
        Question question{Topic::shape, fmt::format("{} work-items", key.substr(0, key.find('-'))), {}};
        std::set<int> counts;
        for (const int radix : pass.radices) counts.insert(length / radix);
        for (const int n : {pass.local.items * 2, pass.local.items / 2}) counts.insert(n);
        for (const int n : counts)
            if (n > 0 && n != pass.local.items) question.answers.push_back({fmt::format("{}={}", key, n)});
        list.push_back(question);
    };
    items("column-items", plan.columns, plan.y.length);
    items("row-items", plan.rows, plan.x.length);
    items("back-items", plan.rows_back, plan.x.length);
    if (traits.is_nvidia)
        for (const char* pass : {"column", "row", "back"}) {
            Question question{Topic::shape, fmt::format("{} registers", pass), {}};
            for (const int registers : {64, 80, 96, 128})
                question.answers.push_back({fmt::format("{}-registers={}", pass, registers)});
            list.push_back(question);
        }
    return list;
}

/// The radices of one axis, for the key of one pass.
Question radix_question(std::string_view key, const RadixWish& wish, Residence residence, bool lanes)
{
    Question question{Topic::radices, fmt::format("{} radices", key.substr(0, key.find('-'))), {}};
    for (const auto& radices : radix_sequences(wish, residence, lanes))
        question.answers.push_back({radices_decision(key, radices)});
    return question;
}

/// Columns' radices in all orders, with two columns a work-group in parts of local memory. All three at once: the order
/// that is best for two columns loses with one, and two columns lose with the order that is best for one
/// (docs/measurements/2026-11-27-h100.md).
Question paired_columns(RadixWish wish)
{
    wish.count = 24;
    Question question{Topic::radices, "radices of two columns a work-group", {}};
    for (const auto& radices : radix_sequences(wish, Residence::local, false))
        question.answers.push_back(
            {radices_decision("column-radices", radices), "column-lines=2", "column-exchange=split"});
    return question;
}

/// Columns in parts, each with the best radices of lines as long as its parts.
Question columns_in_parts(const Problem& problem)
{
    Question question{Topic::radices, "parts of a column", {}};
    for (AxisProblem along = along_y(problem); const int parts : column_parts(problem, {})) {
        along.parts = parts;
        const RadixWish wish{.minimum = padded_axis(along).length, .count = 3};
        for (const auto& radices : radix_sequences(wish, Residence::local, false))
            for (const int lines : {1, 2})
                question.answers.push_back({fmt::format("column-parts={}", parts),
                                            radices_decision("column-radices", radices),
                                            fmt::format("column-lines={}", lines)});
    }
    return question;
}

/// The same in lanes, where parts are as many as planned, or a few more or less; with fewer radices unless as planned.
Question lane_columns(const Problem& problem, int planned)
{
    Question question{Topic::radices, "column radices", {}};
    RadixWish wish{.largest = kMaxLaneRadix, .max_stages = kMaxLaneStages};
    const std::size_t as_planned = wish.count;
    for (const int parts : std::set{1, planned / 2, planned - 1, planned, planned + 1, 2 * planned}) {
        AxisProblem along = along_y(problem);
        along.parts = parts;
        if (parts < 1 || (parts > 1 && !no_parts_because(problem, {}).empty())) continue;
        const Axis axis = padded_axis(along);
        if (axis.parts != parts) continue;
        wish.minimum = axis.length;
        wish.count = parts == planned ? as_planned : 3;
        for (const auto& radices : radix_sequences(wish, Residence::local, true))
            question.answers.push_back(
                {fmt::format("column-parts={}", parts), radices_decision("column-radices", radices)});
    }
    return question;
}

/// A question about each value that a decision lists.
Question listed_question(Topic topic, std::string_view name)
{
    Question question{topic, std::string(name), {}};
    for (const std::string& value : listed_values(name))
        question.answers.push_back({fmt::format("{}={}", name, value)});
    return question;
}

/// Decisions with listed values that no question above covers. So a new decision needs no change here.
std::vector<Question> listed_questions()
{
    static const std::set<std::string_view> kCovered = {"method", "residence", "lanes"};
    std::vector<Question> list;
    for (const std::string_view name : decision_names())
        if (!kCovered.contains(name) && !listed_values(name).empty())
            list.push_back(listed_question(Topic::variant, name));
    return list;
}

/// Whether lines go through global memory only because of these decisions. `planned`: without them.
bool went_global(const FftPlan& fft, const Plan& by_default)
{
    const auto is_global = [](const LinePlan& pass) { return pass.residence == Residence::global; };
    const bool rows_did = by_default.is_fft() && is_global(by_default.fft().rows);
    const bool columns_did = by_default.is_fft() && is_global(by_default.fft().columns);
    return (is_global(fft.rows) && !rows_did) || (is_global(fft.columns) && !columns_did);
}

constexpr int kRegistersOfAGpu = 255;
/// On an H200 a direct sum of 15x15 products takes 1.6 times as long as the FFT, on a CPU far longer.
constexpr std::size_t kMaxTaps = 256;

}  // namespace

std::vector<std::vector<int>> radix_sequences(const RadixWish& wish, Residence residence, bool lanes)
{
    std::vector<int> allowed;
    for (const Radix& radix : supported_radices())
        if (radix.butterfly != Butterfly::generic && radix.size <= wish.largest) allowed.push_back(radix.size);

    std::vector<Sequence> sequences;
    const int last_length = static_cast<int>(wish.minimum * (1 + wish.margin)) + wish.multiple;
    for (int length = rounded_up(wish.minimum, wish.multiple); length <= last_length; length += wish.multiple) {
        const int own = wish.last ? length / wish.last : length;
        if (wish.last && length % wish.last != 0) continue;
        const std::size_t maximum = std::min<std::size_t>(wish.max_stages, 6);
        for (std::vector<int>& radices : ascending_sequences(own, allowed, maximum)) {
            double cost = 1;
            for (const int radix : radices) cost += lanes ? lane_stage_cost(radix) : stage_cost(radix, residence);
            sequences.push_back({std::move(radices), length * cost});
        }
    }
    std::sort(sequences.begin(), sequences.end(), [](const Sequence& a, const Sequence& b) { return a.cost < b.cost; });

    // First each of the cheapest multisets in descending order, then their other orders.
    std::vector<std::vector<int>> result;
    constexpr std::size_t multisets = 6;
    if (sequences.size() > multisets) sequences.resize(multisets);
    for (std::size_t rank = 0; result.size() < wish.count; ++rank) {
        bool any = false;
        for (const Sequence& sequence : sequences) {
            const auto all = orders(sequence.radices);
            if (rank >= all.size() || result.size() == wish.count) continue;
            any = true;
            std::vector<int> radices = all[rank];
            if (wish.last) radices.push_back(wish.last);
            result.push_back(std::move(radices));
        }
        if (!any) break;
    }
    return result;
}

std::vector<Question> questions(const Problem& problem, const DeviceTraits& traits)
{
    Decisions by_fft;
    by_fft.method = Method::fft;
    const Plan plan = make_plan(problem, traits, by_fft);
    const FftPlan& fft = plan.fft();
    std::vector<Question> list = {listed_question(Topic::method, "method")};
    AxisProblem along = along_y(problem);
    along.parts = fft.y.parts;
    const auto rows = padded_axis(along_x(problem)), columns = padded_axis(along);
    if (fft.by_lanes()) {
        list.push_back(lane_columns(problem, fft.y.parts));
        const RadixWish wish{.minimum = rows.length,
                             .largest = kMaxLaneRadix,
                             .last = kLanes,
                             .multiple = kLanes * kLanes,
                             .max_stages = kMaxLaneStages};
        list.push_back(radix_question("row-radices", wish, Residence::local, true));
    } else {
        list.push_back(radix_question("column-radices", {.minimum = columns.length}, fft.columns.residence, false));
        list.push_back(radix_question("row-radices", {.minimum = rows.length}, fft.rows.residence, false));
        if (fft.rows.residence == Residence::local) {
            list.push_back(
                radix_question("back-radices", {.minimum = fft.x.length, .margin = 0}, Residence::local, false));
            for (Question& question : shape_questions(fft, traits)) list.push_back(std::move(question));
            if (fft.columns.residence == Residence::local) {
                list.push_back(paired_columns({.minimum = columns.length}));
                list.push_back(columns_in_parts(problem));
            }
        }
    }
    for (Question& question : listed_questions()) list.push_back(std::move(question));
    return list;
}

Answer combined(const Answer& base, const Answer& answer)
{
    Answer result;
    for (const std::string& decision : base) {
        const auto same_key = [&](const std::string& other) { return key_of(other) == key_of(decision); };
        if (std::none_of(answer.begin(), answer.end(), same_key)) result.push_back(decision);
    }
    result.insert(result.end(), answer.begin(), answer.end());
    return result;
}

Checked checked(const Problem& problem, const DeviceTraits& traits, const Decisions& forced, const Answer& answer)
{
    const auto rejected = [&](const char* constraint, std::string reason) {
        return Checked{std::nullopt, {answer, constraint, std::move(reason)}};
    };
    const std::vector<std::string> fixed = decided(forced);
    for (const std::string& decision : answer)
        for (const std::string& by_user : fixed)
            if (key_of(by_user) == key_of(decision)) return rejected("forced", fmt::format("{} is forced", by_user));
    try {
        Decisions decisions = forced;
        for (const std::string& decision : answer) decide(decisions, decision);
        decisions.programs = Programs::special;  // records use special programs
        Plan plan = make_plan(problem, traits, decisions);
        if (plan.method() == Method::direct && forced.method != Method::direct && problem.psf.pixels() > kMaxTaps)
            return rejected("taps",
                            fmt::format("a direct sum of {} products a sample is sure to lose", problem.psf.pixels()));
        if (!plan.is_fft() || plan.fft().by_lanes()) return {std::move(plan), {}};
        const FftPlan& fft = plan.fft();
        Decisions others = forced;
        others.programs = Programs::special;
        if (!decisions.residence && went_global(fft, make_plan(problem, traits, others)))
            return rejected("work-group", fmt::format("its lines do not fit {} bytes of local memory and {} work-items",
                                                      traits.local_memory, traits.max_work_group));
        const int values = std::max({fft.rows.local.values, fft.columns.local.values, fft.rows_back.local.values});
        if (!traits.is_cpu && 2 * values > kRegistersOfAGpu)
            return rejected("registers", fmt::format("{} complex values a work-item do not fit {} registers", values,
                                                     kRegistersOfAGpu));
        return {std::move(plan), {}};
    } catch (const InvalidProblem& error) {
        return rejected("plan", error.what());
    }
}

}  // namespace clconv
