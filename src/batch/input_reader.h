// SPDX-License-Identifier: Apache-2.0
// Reads the inputs of a batch, each when its memory is available, and makes the work of their items.
#pragma once

#include "batch/memory_budget.h"
#include "batch/pipeline.h"
#include "batch/worker_loop.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clconv {

class InputReader {
public:
    /// All of these must outlive it. `items`: those of one input are neighbours.
    InputReader(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                MemoryBudget& budget);

    /// The number of inputs, or of parts of them that are items of their own.
    [[nodiscard]] std::size_t count() const { return groups_.size(); }

    /// Reads input `number` and returns the work of all its items, in their order. An error of reading is in
    /// ItemWork::error. None if the run ends while this waits for memory. `track`: the reading thread on a timeline.
    [[nodiscard]] std::optional<std::deque<ItemWork>> read(std::size_t number, const std::string& track) const;

private:
    using Group = std::span<const Item>;

    [[nodiscard]] ItemWork work_of(std::size_t number, const std::string& track) const;

    std::vector<Group> groups_;
    const Steps& steps_;
    const PipelineOptions& options_;
    MemoryBudget& budget_;
};

}  // namespace clconv
