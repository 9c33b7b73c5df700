// SPDX-License-Identifier: Apache-2.0
#include "tune/pass_chart.h"

#include "pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace clconv {

namespace {

// In units of the drawing, which are pixels where the page is wide enough.
constexpr double kWidth = 960, kLeft = 48, kRight = 948;
constexpr double kPanelHeight = 196, kPanelTop = 32, kBelow = 22;
constexpr double kCharacter = 6.2, kLabelHeight = 12;  ///< of the small letters

using Lines = std::vector<const PassLine*>;

/// The largest of 1, 2 and 5 times a power of ten that goes into `span` at least three times.
double step_for(double span)
{
    const double power = std::pow(10, std::floor(std::log10(span / 3)));
    for (const double factor : {5, 2})
        if (3 * factor * power <= span) return factor * power;
    return power;
}

struct Box {
    double left, top, right, bottom;
    [[nodiscard]] bool meets(const Box& other) const
    {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

/// What all panels of a figure share.
struct Scales {
    double shortest = std::numeric_limits<double>::infinity(), longest = 0;
    double gb_s = 0;  ///< at the top

    explicit Scales(const Lines& lines, double copy_gb_s)
    {
        for (const PassLine* line : lines) {
            shortest = std::min<double>(shortest, line->length);
            longest = std::max<double>(longest, line->length);
            gb_s = std::max(gb_s, line->gb_s);
        }
        constexpr double beside = 1.04, above = 1.14;
        shortest /= beside;
        longest *= beside;
        gb_s = std::max(above * gb_s, 1.04 * copy_gb_s);
    }
    [[nodiscard]] double x(double length) const
    {
        return kLeft + std::log(length / shortest) / std::log(longest / shortest) * (kRight - kLeft);
    }
    /// Below the top of a panel.
    [[nodiscard]] double y(double value) const { return kPanelTop + (1 - value / gb_s) * (kPanelHeight - kPanelTop); }
};

/// Words on the left.
std::string beside_axis(const std::string& words, double y)
{
    return fmt::format("<text class=\"value\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6, y,
                       words);
}

/// One kind of pass: the best of each length, joined, and the others.
class Panel {
public:
    Panel(const Scales& scales, const Lines& lines, double copy_gb_s, double top) : scales_(scales), top_(top)
    {
        for (const PassLine* line : lines) (line->best ? best_ : others_).push_back(line);
        title(lines.front()->pass);
        grid();
        if (copy_gb_s > 0) copies(copy_gb_s);
        points("others", others_, 2);
        curve();
        points("tops", best_, 3);
        labels();
    }
    [[nodiscard]] const std::string& svg() const { return svg_; }

private:
    [[nodiscard]] double x(const PassLine& line) const { return scales_.x(line.length); }
    [[nodiscard]] double y(double value) const { return top_ + scales_.y(value); }

    void title(const std::string& words)
    {
        svg_ += fmt::format("<text class=\"name\" x=\"{}\" y=\"{:g}\">{}</text>\n", kLeft, top_ + 20, escaped(words));
        svg_ += beside_axis("GB/s", top_ + 20);
        taken_.push_back({kLeft, top_ + 6, kLeft + 8 * static_cast<double>(words.size()), top_ + 24});
    }

    void grid()
    {
        const double step = step_for(scales_.gb_s);
        for (double value = 0; value <= scales_.gb_s; value += step)
            svg_ += fmt::format("<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>{}", kLeft, y(value), kRight,
                                beside_axis(fmt::format("{:g}", value), y(value) + 4));
    }

    void copies(double gb_s)
    {
        const std::string words = fmt::format("copies {} GB/s", speed_text(gb_s));
        svg_ += fmt::format(
            "<path class=\"copy\" d=\"M{} {:.1f}H{}\"/><text class=\"copy\" x=\"{}\" y=\"{:.1f}\" "
            "text-anchor=\"end\">{}</text>\n",
            kLeft, y(gb_s), kRight, kRight, y(gb_s) - 4, words);
        taken_.push_back(
            {kRight - kCharacter * static_cast<double>(words.size()), y(gb_s) - 4 - kLabelHeight, kRight, y(gb_s) + 2});
    }

    void points(const char* name, const Lines& lines, int radius)
    {
        svg_ += fmt::format("<g class=\"{}\">\n", name);
        for (const PassLine* line : lines)
            svg_ += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"><title>{} = {}: {} GB/s, {:.4g} ns a line, {}, {:.0f} "
                "lines</title></circle>\n",
                x(*line), y(line->gb_s), radius, line->length, line->radices, speed_text(line->gb_s), line->ns_a_line,
                escaped(line->shape), line->lines);
        svg_ += "</g>\n";
    }

    void curve()
    {
        svg_ += "<polyline points=\"";
        for (const PassLine* line : best_) svg_ += fmt::format("{:.1f},{:.1f} ", x(*line), y(line->gb_s));
        svg_ += "\"/>\n";
    }

    /// Whether the curve, with its points, goes through the box.
    [[nodiscard]] bool hides_curve(const Box& box) const
    {
        constexpr double radius = 4;
        for (std::size_t i = 0; i < best_.size(); ++i) {
            const double x0 = x(*best_[i]), y0 = y(best_[i]->gb_s);
            if (box.meets({x0 - radius, y0 - radius, x0 + radius, y0 + radius})) return true;
            if (i + 1 == best_.size()) continue;
            const double x1 = x(*best_[i + 1]), y1 = y(best_[i + 1]->gb_s);
            const double from = std::max(x0, box.left), to = std::min(x1, box.right);
            if (from >= to) continue;
            const double y_from = std::lerp(y0, y1, (from - x0) / (x1 - x0));
            const double y_to = std::lerp(y0, y1, (to - x0) / (x1 - x0));
            if (std::min(y_from, y_to) < box.bottom && box.top < std::max(y_from, y_to)) return true;
        }
        return false;
    }

    /// Radices above the points, the fastest first, where there is room.
    void labels()
    {
        Lines fastest = best_;
        std::ranges::stable_sort(fastest, std::greater<>(), &PassLine::gb_s);
        svg_ += "<g class=\"radices\">\n";
        for (const PassLine* line : fastest) {
            const double half = kCharacter / 2 * static_cast<double>(line->radices.size());
            const double middle = std::clamp(x(*line), kLeft + half, kRight - half), bottom = y(line->gb_s) - 6;
            const Box box{middle - half - 3, bottom - kLabelHeight, middle + half + 3, bottom};
            if (box.top < top_ || hides_curve(box) ||
                std::ranges::any_of(taken_, [&](const Box& other) { return box.meets(other); }))
                continue;
            taken_.push_back(box);
            svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle,
                                bottom - 2, line->radices);
        }
        svg_ += "</g>\n";
    }

    const Scales& scales_;
    double top_;
    Lines best_, others_;
    std::vector<Box> taken_;  ///< by text
    std::string svg_;
};

/// Lengths of powers of two, through all panels.
std::string length_grid(const Scales& scales, double bottom)
{
    std::string svg = beside_axis("length", bottom + 16);
    for (double length = std::exp2(std::ceil(std::log2(scales.shortest))); length <= scales.longest; length *= 2)
        svg += fmt::format(
            "<path class=\"grid\" d=\"M{:.1f} {}V{}\"/><text class=\"value\" x=\"{:.1f}\" y=\"{}\" "
            "text-anchor=\"middle\">{:.0f}</text>\n",
            scales.x(length), kPanelTop, bottom, scales.x(length), bottom + 16, length);
    return svg;
}

std::string figure(const std::string& samples, const std::vector<Lines>& panels, double copy_gb_s)
{
    Lines all;
    for (const Lines& lines : panels) all.insert(all.end(), lines.begin(), lines.end());
    const Scales scales(all, copy_gb_s);
    const double height = kPanelHeight * static_cast<double>(panels.size());
    std::string svg = fmt::format(
        "<h3>{0}</h3>\n<div class=\"scroll\"><svg class=\"passes\" viewBox=\"0 0 {1} {2}\" role=\"img\" "
        "aria-label=\"{0}: the length of a line against GB/s\">\n",
        escaped(samples), kWidth, height + kBelow);
    svg += length_grid(scales, height);
    double top = 0;
    for (const Lines& lines : panels) {
        svg += Panel(scales, lines, copy_gb_s, top).svg();
        top += kPanelHeight;
    }
    return svg + "</svg></div>\n";
}

}  // namespace

std::string pass_charts(const std::vector<PassLine>& lines, double copy_gb_s)
{
    std::vector<std::pair<Precision, std::string>> kinds;  // of samples; "" where there are only columns
    const auto add_kind = [&](Precision precision, const std::string& samples) {
        if (std::ranges::find(kinds, std::pair(precision, samples)) == kinds.end())
            kinds.emplace_back(precision, samples);
    };
    for (const PassLine& line : lines)
        if (line.kind != PassKind::columns) add_kind(line.precision, line.samples);
    for (const PassLine& line : lines)
        if (std::ranges::find(kinds, line.precision, &std::pair<Precision, std::string>::first) == kinds.end())
            add_kind(line.precision, line.samples);
    std::string html;
    for (const auto& [precision, samples] : kinds) {
        std::vector<Lines> panels;
        for (const PassKind kind : kPassKinds) {
            Lines of_kind;
            for (const PassLine& line : lines)
                if (line.kind == kind && !line.few && line.precision == precision &&
                    (kind == PassKind::columns || line.samples == samples))
                    of_kind.push_back(&line);
            if (!of_kind.empty()) panels.push_back(std::move(of_kind));
        }
        html += figure(samples, panels, copy_gb_s);
    }
    return html;
}

}  // namespace clconv
