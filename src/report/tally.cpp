// SPDX-License-Identifier: Apache-2.0
#include "report/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace clconv {

namespace {

std::string counts_line(const Tally& tally)
{
    std::string text = fmt::format("{} done, {} failed, {} skipped", tally.done, tally.failed, tally.skipped);
    if (tally.not_started() > 0) text += fmt::format(", {} not started", tally.not_started());
    return text;
}

std::string line(std::string_view indent, std::string_view name, Seconds time, Seconds whole)
{
    return fmt::format("\n{}{:<{}}{:>10.3f} s  {:>5.1f} %", indent, name, 30 - indent.size(), time.count(),
                       whole.count() > 0 ? 100 * time / whole : 0.0);
}

/// The stages of one kind of thread.
struct Threads {
    std::string_view kind;
    int count = 1;
    Seconds whole{0};  ///< of all of them, after preparing
    std::vector<StageTime> stages = {};

    [[nodiscard]] std::string name() const { return fmt::format("{} {}{}", count, kind, count == 1 ? "" : "s"); }
    [[nodiscard]] Seconds busy() const
    {
        Seconds sum{0};
        for (const StageTime& entry : stages) sum += entry.time;
        return sum;
    }
    [[nodiscard]] double percent(Seconds time) const { return whole.count() > 0 ? 100 * time / whole : 0; }
};

/// Programs are built by compiling them.
std::string_view shown_name(std::string_view stage) { return stage == stage::kBuild ? "compiling" : stage; }

/// Readers, devices, writers.
std::array<Threads, 3> kinds_of_threads(const Tally& tally, Seconds wall)
{
    const Seconds working = std::max(Seconds{0}, wall - tally.preparing);
    std::array<Threads, 3> threads{Threads{"reader", tally.jobs, tally.jobs * working},
                                   Threads{"device", tally.workers, tally.workers * working},
                                   Threads{"writer", tally.jobs, tally.jobs * working}};
    auto& [read, compute, write] = threads;
    if (tally.opening > Seconds{0}) compute.stages.push_back({"opening", tally.workers * tally.opening});
    for (const StageTime& entry : tally.stages)
        (entry.stage == stage::kRead ? read : entry.stage == stage::kWrite ? write : compute).stages.push_back(entry);
    return threads;
}

/// The stages, and the rest of the whole time.
std::string thread_lines(const Threads& threads)
{
    const Seconds whole = threads.whole;
    const Seconds busy = threads.busy();
    std::string text = line("  ", threads.name(), whole, whole);
    for (const StageTime& entry : threads.stages) text += line("    ", shown_name(entry.stage), entry.time, whole);
    // A device copies one image while it computes another, so its stages may add up to more than the clock's time.
    return text + (busy <= whole ? line("    ", "waiting", whole - busy, whole)
                                 : line("    ", "less what was done together", busy - whole, whole));
}

/// How busy threads were. If they did several things, also the three that took the longest.
std::string busy_words(const Threads& threads)
{
    constexpr std::size_t maximum = 3;
    std::string text = fmt::format("{} {:.0f} %", threads.name(), std::min(100.0, threads.percent(threads.busy())));
    if (threads.stages.size() < 2) return text;
    std::vector<StageTime> longest = threads.stages;
    std::ranges::stable_sort(longest, std::ranges::greater{}, &StageTime::time);
    if (longest.size() > maximum) longest.resize(maximum);
    // What was done at the same time must not make the parts more than the whole.
    const Seconds all = std::max(threads.whole, threads.busy());
    std::string parts;
    for (const StageTime& entry : longest)
        parts += fmt::format("{}{} {:.0f} %", parts.empty() ? "" : ", ", shown_name(entry.stage),
                             all.count() > 0 ? 100 * entry.time / all : 0);
    return fmt::format("{} ({})", text, parts);
}

}  // namespace

void add(Tally& tally, const ItemResult& result)
{
    switch (result.status) {
        case ItemStatus::not_started: return;
        case ItemStatus::done:
            ++tally.done;
            tally.pixels += result.pixels;
            break;
        case ItemStatus::failed: ++tally.failed; break;
        case ItemStatus::skipped: ++tally.skipped; break;
    }
    for (const StageTime& entry : result.times) add_time(tally.stages, entry.stage, entry.time);
}

void add(Tally& tally, const ItemInfo& item, const ItemResult& result)
{
    add(tally, result);
    if (tally.progressing == item.index) tally.progress = std::nullopt;
}

void note(Tally& tally, const ItemInfo& item, const ItemProgress& progress)
{
    tally.progress = progress;
    tally.progressing = item.index;
}

std::string summary(const Tally& tally, Seconds wall)
{
    std::string text = fmt::format("{} in {:.2f} s", counts_line(tally), wall.count());
    if (tally.done > 0 && wall.count() > 0)
        text += fmt::format("\n{:.2f} images/s, {:.1f} Mpixel/s", static_cast<double>(tally.done) / wall.count(),
                            static_cast<double>(tally.pixels) * 1e-6 / wall.count());
    if (tally.stages.empty()) return text;
    const auto [readers, devices, writers] = kinds_of_threads(tally, wall);
    return text + fmt::format("\nbusy: {}, {}, {}", busy_words(readers), busy_words(devices), busy_words(writers));
}

std::string stage_table(const Tally& tally, Seconds wall)
{
    std::string text = "where the time went (readers, devices and writers work at the same time):" +
                       line("  ", "preparing", tally.preparing, wall);
    for (const Threads& threads : kinds_of_threads(tally, wall)) text += thread_lines(threads);
    return text;
}

}  // namespace clconv
