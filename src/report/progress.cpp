// SPDX-License-Identifier: Apache-2.0
#include "report/progress.h"

#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace clconv {

namespace {

constexpr int kWidestBar = 40;
constexpr std::chrono::milliseconds kBetweenDrawings{100};

std::string clock_text(double seconds)
{
    const long whole = std::lround(seconds);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string progress_text(const Tally& tally, Seconds elapsed)
{
    const std::size_t finished = tally.total - tally.not_started();
    std::string text = fmt::format("{}/{}", finished, tally.total);
    if (tally.failed > 0) text += fmt::format("  {} failed", tally.failed);
    const std::size_t worked = tally.done + tally.failed;
    if (worked > 0 && elapsed.count() > 0) {
        const double rate = static_cast<double>(worked) / elapsed.count();
        text += fmt::format("  {:.1f} images/s  {} left", rate,
                            clock_text(static_cast<double>(tally.not_started()) / rate));
    }
    if (tally.progress) text += fmt::format("  iteration {} of {}", tally.progress->done, tally.progress->maximum);
    return text;
}

std::string progress_line(const Tally& tally, Seconds elapsed, int columns)
{
    const std::string text = "  " + progress_text(tally, elapsed);
    const int room = std::min(kWidestBar, columns - static_cast<int>(text.size()) - 2);
    if (room < 5) return text.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
    const std::size_t finished = tally.total - tally.not_started();
    const auto width = static_cast<std::size_t>(room);
    const std::size_t filled = tally.total > 0 ? width * finished / tally.total : width;
    std::string bar(filled, '=');
    if (filled < width) bar += '>';
    bar.resize(width, ' ');
    return "[" + bar + "]" + text;
}

void ProgressBar::hide()
{
    if (!visible_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    visible_ = false;
}

void ProgressBar::draw()
{
    // One column is left free: a line that fills the last one makes some terminals scroll.
    const std::string line = progress_line(tally_, Clock::now() - start_, terminal_columns() - 1);
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    visible_ = true;
    drawn_ = Clock::now();
}

void ProgressBar::message(Level /*level*/, std::string_view /*text*/)
{
    // The log may have removed the bar to print this message.
    if (running_ && !visible_) draw();
}

void ProgressBar::run_started(const RunInfo& run)
{
    tally_.total = run.items.size();
    start_ = Clock::now();
    running_ = true;
    draw();
}

void ProgressBar::item_progressed(const ItemInfo& item, const ItemProgress& progress)
{
    note(tally_, item, progress);
    if (running_) draw();
}

void ProgressBar::item_finished(const ItemInfo& item, const ItemResult& result)
{
    add(tally_, item, result);
    if (running_ && (!visible_ || Clock::now() - drawn_ >= kBetweenDrawings)) draw();
}

void ProgressBar::run_finished(const RunResult& /*result*/)
{
    running_ = false;
    hide();
}

}  // namespace clconv
