// SPDX-License-Identifier: Apache-2.0
#include "tune/report.h"

#include "fft/factorize.h"
#include "plan/pass_costs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace clconv {
namespace {

using nlohmann::ordered_json;

constexpr int kBarColumns = 24;

/// A bar of eighths of a character.
std::string bar(double value, double maximum)
{
    static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int parts = maximum > 0 ? static_cast<int>(std::lround(value / maximum * kBarColumns * 8)) : 0;
    std::string text;
    for (int i = 0; i < parts / 8; ++i) text += "█";
    return text + kEighths[parts % 8];
}

/// Rows of cells, each column as wide as its widest cell; the first column is left-aligned. The last is not padded.
std::string aligned(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i + 1 < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i + 1 == row.size())
                line += row[i];
            else
                line +=
                    i == 0 ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string sweep_table(const Sweep& sweep, double copy_gb_s)
{
    double slowest = 0;
    for (const SweepPoint& point : sweep.points) slowest = std::max(slowest, point.ms.median);
    std::vector<std::vector<std::string>> rows = {
        {sweep.name, "padded", "radices x, y", "ms", "MAD", "launches", "MB", "GB/s", "% of copy", ""}};
    std::string missing;
    for (const SweepPoint& point : sweep.points) {
        if (!point.problem.empty()) {
            missing += fmt::format("  {}: {}\n", point.label, point.problem);
            continue;
        }
        rows.push_back({point.label, point.padded, point.radices, fmt::format("{:.4f}", point.ms.median),
                        fmt::format("{:.4f}", point.ms.mad), std::to_string(point.launches),
                        fmt::format("{:.1f}", static_cast<double>(point.bytes) * 1e-6),
                        fmt::format("{:.1f}", gb_per_s(point)),
                        fmt::format("{:.1f}", 100 * gb_per_s(point) / copy_gb_s), bar(point.ms.median, slowest)});
    }
    return fmt::format("\n{}\n{}{}", token(sweep.problem), aligned(rows), missing);
}

std::string tuned_table(const Tuned& tuned, bool explain)
{
    const SearchResult& found = tuned.found;
    std::string text = fmt::format("\n{}\n  {}\n  {} candidates in {:.1f} s{}\n", tuned.record.key.problem,
                                   headline(found), best_attempts(found).size(), tuned.seconds,
                                   found.finished ? "" : ", more would need a larger --budget or --candidates");
    double slowest = 0;
    std::vector<TriedPlan> best = best_attempts(found);
    constexpr std::size_t max_rows = 8;
    for (std::size_t i = best.size(); !explain && i-- > max_rows;)
        if (!is_chosen(found, best[i]) && !best[i].decisions.empty())
            best.erase(best.begin() + static_cast<std::ptrdiff_t>(i));
    for (const TriedPlan& attempt : best) slowest = std::max(slowest, attempt.standing.ms.median);
    std::vector<std::vector<std::string>> rows;
    for (const TriedPlan& attempt : best)
        rows.push_back({decisions_text(attempt.decisions), fmt::format("{:.4f} ms", attempt.standing.ms.median),
                        fmt::format("MAD {:.4f}", attempt.standing.ms.mad),
                        bar(attempt.standing.ms.median, slowest) + (is_chosen(found, attempt) ? " chosen" : "")});
    text += aligned(rows);
    for (const Defect& defect : found.defects)
        text += fmt::format("  DEFECT {}: {}\n", decisions_text(defect.decisions), defect.what);
    if (explain)
        for (const Rejection& rejection : found.rejections)
            text += fmt::format("  not tried: {}: {}: {}\n", decisions_text(rejection.decisions), rejection.constraint,
                                rejection.reason);
    return text;
}

std::string passes_table(const PassTuning& passes, bool explain)
{
    std::string text = fmt::format(
        "\n{} plans of the device's menu: {} measured now, {} known, {} do not fit, {} left{}\n", passes.plans,
        passes.measured, passes.known, passes.unfit, passes.left, passes.left > 0 ? "; run it again to go on" : "");
    std::vector<std::vector<std::string>> rows = {
        {"pass", "samples", "length", "radices", "ns a line", "lines", "GB/s", "shape"}};
    for (const PassLine& line : pass_lines(passes.set))
        if (line.best || explain)
            rows.push_back({line.pass, line.samples, std::to_string(line.length), line.radices,
                            fmt::format("{:.5g}", line.ns_a_line), fmt::format("{:.0f}", line.lines),
                            speed_text(line.gb_s), line.shape});
    text += aligned(rows);
    for (const Defect& defect : passes.defects)
        text += fmt::format("  DEFECT {}: {}\n", decisions_text(defect.decisions), defect.what);
    return text;
}

ordered_json json_of(const PassTuning& passes)
{
    ordered_json lines = ordered_json::array(), defects = ordered_json::array();
    for (const PassLine& line : pass_lines(passes.set))
        lines.push_back({{"pass", line.pass},
                         {"samples", line.samples},
                         {"length", line.length},
                         {"radices", line.radices},
                         {"shape", line.shape},
                         {"lines", line.lines},
                         {"ns_a_line", line.ns_a_line},
                         {"gb_s", line.gb_s},
                         {"best", line.best}});
    for (const Defect& defect : passes.defects)
        defects.push_back({{"decisions", defect.decisions}, {"what", defect.what}});
    return {{"plans", passes.plans}, {"measured", passes.measured}, {"known", passes.known},
            {"unfit", passes.unfit}, {"left", passes.left},         {"passes", lines},
            {"defects", defects}};
}

ordered_json json_of(const Spread& spread)
{
    return {{"median", spread.median}, {"min", spread.min}, {"mad", spread.mad}};
}

ordered_json json_of(const SweepPoint& point, double copy_gb_s)
{
    ordered_json json{{"value", point.label}, {"decisions", point.decisions}};
    if (!point.problem.empty()) {
        json["not_measured"] = point.problem;
        return json;
    }
    ordered_json passes = ordered_json::array();
    for (const PassTime& pass : point.passes) passes.push_back({{"name", pass.name}, {"ms", pass.ms}});
    json.update({{"padded", point.padded},
                 {"radices", point.radices},
                 {"plan", point.plan},
                 {"ms", json_of(point.ms)},
                 {"launches", point.launches},
                 {"bytes", point.bytes},
                 {"gb_s", gb_per_s(point)},
                 {"fraction_of_copy", gb_per_s(point) / copy_gb_s},
                 {"passes", passes}});
    return json;
}

ordered_json json_of(const Tuned& tuned)
{
    const SearchResult& found = tuned.found;
    ordered_json attempts = ordered_json::array(), rejected = ordered_json::array(), defects = ordered_json::array();
    for (const auto* tried : {&found.attempts, &found.finalists})
        for (const TriedPlan& attempt : *tried)
            attempts.push_back({{"question", attempt.question},
                                {"decisions", attempt.decisions},
                                {"ms", json_of(attempt.standing.ms)},
                                {"samples", attempt.standing.samples},
                                {"dropped", attempt.standing.dropped},
                                {"chosen", tried == &found.finalists && is_chosen(found, attempt)},
                                {"plan", attempt.plan}});
    for (const Rejection& rejection : found.rejections)
        rejected.push_back(
            {{"decisions", rejection.decisions}, {"constraint", rejection.constraint}, {"reason", rejection.reason}});
    for (const Defect& defect : found.defects)
        defects.push_back({{"decisions", defect.decisions}, {"what", defect.what}});
    return {{"problem", tuned.record.key.problem},
            {"decisions", found.decisions},
            {"plan", describe(found.plan)},
            {"ms", found.ms},
            {"heuristic_ms", found.heuristic_ms},
            {"in_use_ms", found.in_use ? ordered_json(found.in_use->standing.ms.median) : ordered_json(nullptr)},
            {"seconds", tuned.seconds},
            {"finished", found.finished},
            {"attempts", attempts},
            {"rejected", rejected},
            {"defects", defects}};
}

/// Of a pass: "u8 interleaved", "spectra", "half spectra".
std::string samples_of(const LinePass& pass)
{
    const bool plain = pass.precision == Precision::float32;
    std::string spectra = plain ? "spectra" : fmt::format("{} spectra", name_of(pass.precision));
    if (pass.kind == PassKind::columns) return spectra;
    return fmt::format("{} {}{}", name_of(pass.samples), name_of(pass.layout), plain ? "" : ", " + spectra);
}

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + "\"";
}

std::string csv_line(const std::vector<std::string>& cells)
{
    std::vector<std::string> all;
    for (const std::string& cell : cells) all.push_back(quoted(cell));
    return fmt::format("{}\n", fmt::join(all, ","));
}

}  // namespace

std::vector<PassLine> pass_lines(const PassSet& set)
{
    const auto group_of = [](const PassLine& line) { return std::tie(line.pass, line.samples, line.length); };
    using Group = std::tuple<std::string, std::string, int>;
    std::map<Group, double> max_lines;
    std::vector<PassLine> lines;
    for (const PassRecord& record : set.passes) {
        const LinePass& pass = record.pass;
        const PassPoint& point = record.points.back();
        PassLine line;
        line.kind = pass.kind;
        line.precision = pass.precision;
        line.pass = name_of(pass.kind);
        line.samples = samples_of(pass);
        line.length = line_length(pass.radices);
        line.radices = fmt::format("{}", fmt::join(pass.radices, "."));
        line.shape = pass.lanes > 1 ? fmt::format("{} lanes", pass.lanes)
                                    : fmt::format("{} items x {}{}, {}, {} columns x {} rows", pass.items, pass.lines,
                                                  pass.channels > 1 ? fmt::format(" x {} channels", pass.channels) : "",
                                                  name_of(pass.exchange), pass.bundle_columns, pass.rows_together);
        line.lines = point.lines;
        line.ns_a_line = point.ns / point.lines;
        line.gb_s = line_bytes(record) / line.ns_a_line;
        double& of_group = max_lines[group_of(line)];
        of_group = std::max(of_group, line.lines);
        lines.push_back(std::move(line));
    }
    for (PassLine& line : lines) line.few = !about_as_many(line.lines, max_lines.at(group_of(line)));
    std::stable_sort(lines.begin(), lines.end(), [&](const PassLine& a, const PassLine& b) {
        return std::tuple_cat(group_of(a), std::tie(a.few, a.ns_a_line)) <
               std::tuple_cat(group_of(b), std::tie(b.few, b.ns_a_line));
    });
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].best = i == 0 || group_of(lines[i]) != group_of(lines[i - 1]);
    return lines;
}

double gb_per_s(const SweepPoint& point)
{
    return point.ms.median > 0 ? 1e-6 * static_cast<double>(point.bytes) / point.ms.median : 0;
}

std::string speed_text(double gb_s) { return gb_s < 100 ? fmt::format("{:.3g}", gb_s) : fmt::format("{:.0f}", gb_s); }

std::string decisions_text(const Answer& decisions)
{
    return decisions.empty() ? "as planned" : fmt::format("{}", fmt::join(decisions, " "));
}

std::vector<TriedPlan> best_attempts(const SearchResult& found)
{
    const auto is_faster = [](const TriedPlan& a, const TriedPlan& b) {
        return a.standing.ms.median < b.standing.ms.median;
    };
    std::vector<TriedPlan> best = found.attempts;
    std::stable_sort(best.begin(), best.end(), is_faster);
    best.insert(best.begin(), found.finalists.begin(), found.finalists.end());
    std::set<std::string> listed;
    std::erase_if(best, [&](const TriedPlan& attempt) { return !listed.insert(attempt.plan).second; });
    std::stable_sort(best.begin(), best.end(), is_faster);
    return best;
}

bool is_chosen(const SearchResult& found, const TriedPlan& attempt)
{
    return attempt.plan == describe_work(found.plan);
}

std::string headline(const SearchResult& found)
{
    const std::string text = fmt::format("chosen: {}: {:.4f} ms", decisions_text(found.decisions), found.ms);
    if (found.decisions.empty()) return text + ", the planner's own plan; none was faster in the last comparison";
    const auto compared = [&](double other_ms, std::string_view whose) {
        return fmt::format("{:.2f} times the {:.4f} ms of {}", found.ms / other_ms, other_ms, whose);
    };
    const std::string own = compared(found.heuristic_ms, "the planner's own plan");
    if (!found.in_use) return fmt::format("{}, {}", text, own);
    if (found.in_use->decisions == found.decisions) return fmt::format("{}, {}; it was in use already", text, own);
    return fmt::format("{}, {}, and {}", text, own,
                       compared(found.in_use->standing.ms.median, "the plan in use before"));
}

std::string tune_table(const TuneReport& report, bool explain)
{
    std::string text =
        fmt::format("{} ({}), copy {} GB/s\n", report.device.name, report.device.driver, speed_text(report.copy_gb_s));
    for (const Tuned& tuned : report.tuned) text += tuned_table(tuned, explain);
    for (const Sweep& sweep : report.sweeps) text += sweep_table(sweep, report.copy_gb_s);
    if (report.passes) text += passes_table(*report.passes, explain);
    return text;
}

std::string tune_json(const TuneReport& report)
{
    ordered_json json{{"device", report.device.name},
                      {"driver", report.device.driver},
                      {"copy_gb_s", report.copy_gb_s},
                      {"tuned", ordered_json::array()},
                      {"sweeps", ordered_json::array()}};
    for (const Tuned& tuned : report.tuned) json["tuned"].push_back(json_of(tuned));
    for (const Sweep& sweep : report.sweeps) {
        ordered_json points = ordered_json::array();
        for (const SweepPoint& point : sweep.points) points.push_back(json_of(point, report.copy_gb_s));
        json["sweeps"].push_back({{"name", sweep.name}, {"problem", token(sweep.problem)}, {"points", points}});
    }
    if (report.passes) json["menu"] = json_of(*report.passes);
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string tune_csv(const TuneReport& report)
{
    std::string text = csv_line({"device", "problem", "study", "value", "padded", "radices", "ms", "min_ms", "mad_ms",
                                 "launches", "bytes", "gb_s", "fraction_of_copy", "remark"});
    const auto number = [](double value) { return fmt::format("{:.6g}", value); };
    for (const Tuned& tuned : report.tuned)
        for (const auto* tried : {&tuned.found.attempts, &tuned.found.finalists})
            for (const TriedPlan& attempt : *tried)
                text += csv_line({report.device.name, tuned.record.key.problem, attempt.question,
                                  decisions_text(attempt.decisions), "", "", number(attempt.standing.ms.median),
                                  number(attempt.standing.ms.min), number(attempt.standing.ms.mad), "", "", "", "",
                                  tried == &tuned.found.finalists && is_chosen(tuned.found, attempt) ? "chosen" : ""});
    for (const Sweep& sweep : report.sweeps)
        for (const SweepPoint& point : sweep.points) {
            std::vector<std::string> cells = {report.device.name, token(sweep.problem), sweep.name,
                                              point.label,        point.padded,         point.radices};
            if (point.problem.empty())
                for (const std::string& cell : {number(point.ms.median), number(point.ms.min), number(point.ms.mad),
                                                std::to_string(point.launches), std::to_string(point.bytes),
                                                number(gb_per_s(point)), number(gb_per_s(point) / report.copy_gb_s)})
                    cells.push_back(cell);
            else
                cells.resize(13);
            cells.push_back(point.problem);
            text += csv_line(cells);
        }
    for (const PassLine& line : report.passes ? pass_lines(report.passes->set) : std::vector<PassLine>())
        text +=
            csv_line({report.device.name, fmt::format("{} lines, {}", line.lines, line.samples), line.pass, line.shape,
                      std::to_string(line.length), line.radices, number(line.ns_a_line * line.lines * 1e-6), "", "", "",
                      "", number(line.gb_s), number(line.gb_s / report.copy_gb_s), line.best ? "best" : ""});
    return text;
}

}  // namespace clconv
