#include "report/tally.h"

#include <fmt/format.h>

#include <algorithm>
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

/// The stages of one kind of thread, and what is missing to the whole.
std::string thread_lines(std::string_view kind, int threads, const std::vector<StageTime>& stages, Seconds working)
{
    const Seconds whole = threads * working;
    Seconds busy{0};
    for (const StageTime& entry : stages) busy += entry.time;
    std::string text = line("  ", fmt::format("{} {}{}", threads, kind, threads == 1 ? "" : "s"), whole, whole);
    for (const StageTime& entry : stages) text += line("    ", entry.stage, entry.time, whole);
    // A device copies one image while it computes another: then its stages add up to more than the clock's time.
    return text + (busy <= whole ? line("    ", "waiting", whole - busy, whole)
                                 : line("    ", "done at the same time", whole - busy, whole));
}

std::string stage_table(const Tally& tally, Seconds wall)
{
    std::vector<StageTime> read;
    std::vector<StageTime> compute;
    std::vector<StageTime> write;
    if (tally.opening > Seconds{0}) compute.push_back({"opening", tally.workers * tally.opening});
    for (const StageTime& entry : tally.stages)
        (entry.stage == "read" ? read : entry.stage == "write" ? write : compute).push_back(entry);
    const Seconds working = std::max(Seconds{0}, wall - tally.preparing);
    return "where the time went (readers, devices and writers work at the same time):" +
           line("  ", "preparing", tally.preparing, wall) + thread_lines("reader", tally.jobs, read, working) +
           thread_lines("device", tally.workers, compute, working) + thread_lines("writer", tally.jobs, write, working);
}

}  // namespace

void add(Tally& tally, const ItemResult& result)
{
    switch (result.status) {
        case ItemStatus::not_started: return;
        case ItemStatus::done:
            ++tally.done;
            tally.pixels += result.output_extent.pixels();
            break;
        case ItemStatus::failed: ++tally.failed; break;
        case ItemStatus::skipped: ++tally.skipped; break;
    }
    for (const StageTime& entry : result.times) add_time(tally.stages, entry.stage, entry.time);
}

std::string summary(const Tally& tally, Seconds wall)
{
    std::string text = fmt::format("{} in {:.2f} s", counts_line(tally), wall.count());
    if (tally.done > 0 && wall.count() > 0)
        text += fmt::format(": {:.2f} images/s, {:.1f} Mpixel/s", static_cast<double>(tally.done) / wall.count(),
                            static_cast<double>(tally.pixels) * 1e-6 / wall.count());
    if (!tally.stages.empty()) text += fmt::format("\n{}", stage_table(tally, wall));
    return text;
}

}  // namespace clconv
