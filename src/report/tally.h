// SPDX-License-Identifier: Apache-2.0
// Counts what a run did and where its time went, and writes the summary for its end.
#pragma once

#include "report/events.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

struct Tally {
    std::size_t total = 0;  ///< items
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
    std::uint64_t pixels = 0;       ///< of the outputs of done items
    std::vector<StageTime> stages;  ///< summed over all items, and so over all threads
    int jobs = 1;                   ///< reading threads, and as many writing threads
    int workers = 1;                ///< devices, with a thread each
    /// How far the item is that reported it last, until it ends.
    std::optional<ItemProgress> progress = {};
    std::size_t progressing = 0;  ///< its index
    Seconds preparing{0};         ///< before the first input was read
    Seconds opening{0};           ///< of the devices, after that

    [[nodiscard]] std::size_t not_started() const { return total - done - failed - skipped; }
};

/// Adds the result of one item. Does not change `tally.total`.
void add(Tally& tally, const ItemResult& result);
/// The same; the item no longer progresses.
void add(Tally& tally, const ItemInfo& item, const ItemResult& result);
/// Notes how far an item is.
void note(Tally& tally, const ItemInfo& item, const ItemProgress& progress);

/// At most three lines, without a newline at the end: what was done, how fast, and how busy each kind of thread was
/// between preparing and `wall`.
[[nodiscard]] std::string summary(const Tally& tally, Seconds wall);

/// Where the time went: a line for each stage, without a newline at the end. For each kind of thread, the stages plus
/// waiting, or minus overlap, add up to its number of threads times the time between preparing and `wall`.
[[nodiscard]] std::string stage_table(const Tally& tally, Seconds wall);

}  // namespace clconv
