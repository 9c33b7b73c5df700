#include "report/tally.h"

#include <fmt/format.h>

#include <algorithm>

namespace clconv {

namespace {

/// Reading comes first and writing last; between them, stages keep the order in which they first happened.
int rank_of(const std::string& stage)
{
    if (stage == "read") return 0;
    if (stage == "write") return 2;
    return 1;
}

std::string counts_line(const Tally& tally)
{
    std::string text = fmt::format("{} done, {} failed, {} skipped", tally.done, tally.failed, tally.skipped);
    if (tally.not_started() > 0) text += fmt::format(", {} not started", tally.not_started());
    return text;
}

std::string stage_table(const Tally& tally)
{
    std::vector<StageTime> stages = tally.stages;
    std::ranges::stable_sort(stages, {}, [](const StageTime& entry) { return rank_of(entry.stage); });
    std::size_t name_width = 0;
    Seconds sum{0};
    for (const StageTime& entry : stages) {
        name_width = std::max(name_width, entry.stage.size());
        sum += entry.time;
    }
    std::string text =
        "where the time went (summed over threads that overlap, so more than the wall time is possible):";
    for (const StageTime& entry : stages)
        text += fmt::format("\n  {:<{}}  {:>10.3f} s  {:>5.1f} %", entry.stage, name_width, entry.time.count(),
                            sum.count() > 0 ? 100 * entry.time / sum : 0.0);
    return text;
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
    if (!tally.stages.empty()) text += fmt::format("\n{}", stage_table(tally));
    return text;
}

}  // namespace clconv
