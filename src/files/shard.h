// SPDX-License-Identifier: Apache-2.0
// The part of a batch that this process makes: `--shard I/N`, or the same from a job scheduler's environment.
//
// Pure: the environment is passed in. If every process has the same inputs, shards are disjoint and together complete.
// Shard I makes the same files every time.
#pragma once

#include "files/item.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// Shard `index` of `count`: items index, index + count, index + 2 count, ... of the sorted list.
struct Shard {
    std::size_t index = 0;
    std::size_t count = 1;

    friend bool operator==(const Shard&, const Shard&) = default;
};

/// The value of an environment variable; none if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The process's own environment.
[[nodiscard]] std::optional<std::string> environment_value(const std::string& name);

/// `text` is one of
///   I/N          with 0 <= I < N
///   env:NAME/N   I is the value of the variable NAME; N is a number, or a variable's name, too
///   slurm        the task of a job array (SLURM_ARRAY_TASK_ID, counted from _MIN in steps of _STEP, of _COUNT). If
///                srun started several tasks, each of them is a shard (SLURM_PROCID of SLURM_NTASKS), in an array too
///
/// Throws InvalidProblem with the variable or the value that makes no sense.
[[nodiscard]] Shard parse_shard(const std::string& text, const Environment& environment);

/// The items of one shard, with their indices in the whole list.
[[nodiscard]] std::vector<Item> items_of_shard(const std::vector<Item>& items, const Shard& shard);

}  // namespace clconv
