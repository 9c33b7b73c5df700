// Counts what a run did and where its time went, and words the summary printed at its end.
#pragma once

#include "report/events.h"

#include <cstddef>
#include <cstdint>
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

    [[nodiscard]] std::size_t not_started() const { return total - done - failed - skipped; }
};

/// Adds how one item ended. `tally.total` is not touched.
void add(Tally& tally, const ItemResult& result);

/// Several lines without a newline at the end: counts, rates, and a table of stages in the order of the work.
[[nodiscard]] std::string summary(const Tally& tally, Seconds wall);

}  // namespace clconv
