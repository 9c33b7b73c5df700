// SPDX-License-Identifier: Apache-2.0
// The report as one HTML page. The charts are drawn here, so that the page shows them even without scripts. The page's
// frame, its colours and the sorting of tables are in src/pages.

#include "base/parse_number.h"
#include "pages/pages.h"
#include "tune/pass_chart.h"
#include "tune/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace clconv {

namespace {

struct Bar {
    std::string label;
    double ms = 0;
    double mad = 0;
    bool marked = false;
};

/// Horizontal bars, one a row, on a scale from zero; marked ones have another colour.
std::string chart(const std::string& title, const std::vector<Bar>& bars)
{
    if (bars.empty()) return "";
    constexpr int row = 24, width = 440, values = 104;
    std::size_t longest = 0;
    double slowest = 0;
    for (const Bar& bar : bars) {
        longest = std::max(longest, bar.label.size());
        slowest = std::max(slowest, bar.ms);
    }
    // Long labels are above their bars, because a phone has no room beside them.
    const bool above = longest > 12;
    const int left = above ? 0 : static_cast<int>(longest) * 8 + 8;
    const int pitch = above ? 2 * row : row;
    const int height = pitch * static_cast<int>(bars.size()) + 4;
    std::string svg =
        fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", width, height, escaped(title));
    int y = 0;
    for (const Bar& bar : bars) {
        const double length = std::max(1.0, bar.ms / slowest * (width - left - values));
        const int bar_y = above ? y + row - 4 : y;
        svg += fmt::format("<g{}><title>{}: {:.4f} ms, MAD {:.4f}</title>", bar.marked ? " class=\"best\"" : "",
                           escaped(bar.label), bar.ms, bar.mad);
        svg += above ? fmt::format("<text x=\"0\" y=\"{}\">{}</text>", y + 15, escaped(bar.label))
                     : fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", left - 8, y + 16,
                                   escaped(bar.label));
        svg +=
            fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" rx=\"2\"/>", left, bar_y + 4, length);
        svg += fmt::format("<text class=\"value\" x=\"{:.1f}\" y=\"{}\">{:.4f} ms</text></g>\n", left + length + 8,
                           bar_y + 17, bar.ms);
        y += pitch;
    }
    return svg + "</svg>\n";
}

/// "text-2 text-4": the columns that hold texts, which src/pages/web/page.css aligns left.
std::string text_columns(const std::vector<std::vector<std::string>>& rows)
{
    std::string names;
    for (std::size_t column = 1; !rows.empty() && column < rows.front().size(); ++column) {
        const auto is_text = [&](const std::vector<std::string>& cells) {
            return !cells[column].empty() && !parse_number<double>(cells[column]);
        };
        if (std::ranges::any_of(rows, is_text)) names += fmt::format("{}text-{}", names.empty() ? "" : " ", column + 1);
    }
    return names;
}

std::string table(const std::vector<std::string>& headings, const std::vector<std::vector<std::string>>& rows)
{
    std::string html = fmt::format("<div class=\"scroll\"><table class=\"{}\"><thead><tr>", text_columns(rows));
    for (const std::string& heading : headings)
        html += fmt::format("<th scope=\"col\"><button type=\"button\">{}</button></th>", escaped(heading));
    html += "</tr></thead><tbody>\n";
    for (const auto& cells : rows) {
        html += "<tr>";
        for (const std::string& cell : cells)
            html += fmt::format("<td{}>{}</td>", cell.size() > 40 ? " class=\"words\"" : "", escaped(cell));
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string section(const Sweep& sweep, double copy_gb_s)
{
    std::vector<Bar> bars;
    std::vector<std::vector<std::string>> rows;
    for (const SweepPoint& point : sweep.points) {
        if (!point.problem.empty()) {
            rows.push_back({point.label, point.problem, "", "", "", "", "", "", ""});
            continue;
        }
        bars.push_back({point.label, point.ms.median, point.ms.mad});
        rows.push_back({point.label, point.padded, point.radices, fmt::format("{:.4f}", point.ms.median),
                        fmt::format("{:.4f}", point.ms.mad), std::to_string(point.launches),
                        fmt::format("{:.1f}", static_cast<double>(point.bytes) * 1e-6),
                        fmt::format("{:.1f}", gb_per_s(point)),
                        fmt::format("{:.1f}", 100 * gb_per_s(point) / copy_gb_s)});
    }
    const auto fastest = std::ranges::min_element(bars, {}, &Bar::ms);
    if (fastest != bars.end()) fastest->marked = true;
    return fmt::format("<section>\n<h2>{}</h2>\n<p class=\"quiet\">{}; milliseconds an image</p>\n",
                       escaped(sweep.name), escaped(token(sweep.problem))) +
           chart(sweep.name, bars) +
           table({sweep.name, "padded", "radices x, y", "ms", "MAD", "launches", "MB", "GB/s", "% of copy"}, rows) +
           "</section>\n";
}

std::string section(const Tuned& tuned)
{
    const SearchResult& found = tuned.found;
    std::vector<Bar> bars;
    std::vector<std::vector<std::string>> rows;
    constexpr std::size_t max_bars = 12;
    for (const TriedPlan& attempt : best_attempts(found)) {
        const Spread& ms = attempt.standing.ms;
        const std::string name = decisions_text(attempt.decisions);
        const bool chosen = is_chosen(found, attempt);
        if (bars.size() < max_bars || chosen) bars.push_back({name, ms.median, ms.mad, chosen});
        rows.push_back({chosen ? "chosen" : "", name, attempt.question, fmt::format("{:.4f}", ms.median),
                        fmt::format("{:.4f}", ms.min), fmt::format("{:.4f}", ms.mad),
                        std::to_string(attempt.standing.samples)});
    }
    std::string html = fmt::format(
        "<section>\n<h2>{}</h2>\n<p>{}</p>\n<p class=\"quiet\">Only plans of the last comparison were "
        "measured alternately; the others were measured earlier.</p>\n",
        escaped(tuned.record.key.problem), escaped(headline(found)));
    for (const Defect& defect : found.defects)
        html += fmt::format("<p>Defect: {}: {}</p>\n", escaped(decisions_text(defect.decisions)), escaped(defect.what));
    return html + chart(tuned.record.key.problem, bars) +
           table({"choice", "decisions", "question", "ms", "min", "MAD", "samples"}, rows) + "</section>\n";
}

/// The drawings and the table of a set's passes.
std::string passes_content(const PassSet& set, double copy_gb_s)
{
    const std::vector<PassLine> lines = pass_lines(set);
    if (lines.empty()) return "";
    std::vector<std::vector<std::string>> rows;
    for (const PassLine& line : lines)
        rows.push_back({line.pass, line.samples, std::to_string(line.length), line.radices,
                        fmt::format("{:.5g}", line.ns_a_line), fmt::format("{:.0f}", line.lines), speed_text(line.gb_s),
                        line.best ? "best" : (line.few ? "few lines" : ""), line.shape});
    return "<p class=\"quiet\">GB/s by the length of a line: the bytes that a pass must move, over its time. The curve "
           "joins the fastest shapes of the lengths, with their radices where there is room; the pale points are the "
           "other shapes. A point tells its shape when the mouse is over it. Shapes measured for few lines alone are "
           "only "
           "in the table.</p>\n" +
           pass_charts(lines, copy_gb_s) +
           table({"pass", "samples", "length", "radices", "ns a line", "lines", "GB/s", "of its length", "shape"},
                 rows);
}

std::string section(const PassTuning& passes, double copy_gb_s)
{
    return fmt::format(
               "<section>\n<h2>Passes</h2>\n<p>{} plans: {} measured now, {} known, {} do not fit, {} left</p>\n",
               passes.plans, passes.measured, passes.known, passes.unfit, passes.left) +
           passes_content(passes.set, copy_gb_s) + "</section>\n";
}

std::string section(const PassSet& set, const std::string& origin)
{
    const PassSetKey& key = set.key;
    return fmt::format("<section>\n<h2>Passes of {}</h2>\n<p>{} passes, {}; driver {}, {}, {} compute units</p>\n",
                       escaped(key.device), set.passes.size(), origin, escaped(key.driver), escaped(key.platform),
                       key.compute_units) +
           passes_content(set, set.copy_gb_s) + "</section>\n";
}

std::string section(const std::vector<Record>& records, const std::string& origin)
{
    if (records.empty()) return "";
    std::vector<std::vector<std::string>> rows;
    for (const Record& record : records)
        rows.push_back({record.key.problem, record.key.device, fmt::format("{:.4f}", record.ms),
                        fmt::format("{:.4f}", record.heuristic_ms),
                        fmt::format("{:.2f}", record.ms / record.heuristic_ms), decisions_text(record.decisions)});
    return fmt::format("<section>\n<h2>Plans</h2>\n<p>{} plans, {}</p>\n", records.size(), origin) +
           table({"problem", "device", "ms", "as planned", "ratio", "decisions"}, rows) + "</section>\n";
}

}  // namespace

std::string tune_page(const TuneReport& report)
{
    const std::string& device = report.device.name;
    std::string content = fmt::format("<h1>{}</h1>\n<p class=\"quiet\">{}</p>\n", escaped(device),
                                      escaped(fmt::format("driver {}, {}; copies {} GB/s", report.device.driver,
                                                          report.device.platform, speed_text(report.copy_gb_s))));
    for (const Sweep& sweep : report.sweeps) content += section(sweep, report.copy_gb_s);
    for (const Tuned& tuned : report.tuned) content += section(tuned);
    if (report.passes) content += section(*report.passes, report.copy_gb_s);
    return page_text({"clconv tune: " + device, content, {}, {"tune.js"}});
}

std::string records_page(const Remembered& own, const Remembered& shipped)
{
    std::string content = "<h1>Records of clconv tune</h1>\n";
    for (const auto& [known, origin] : {std::pair(&own, "kept here"), {&shipped, "part of clconv"}}) {
        for (const PassSet& set : known->passes) content += section(set, origin);
        content += section(known->records, origin);
    }
    return page_text({"Records of clconv tune", content, {}, {"tune.js"}});
}

}  // namespace clconv
