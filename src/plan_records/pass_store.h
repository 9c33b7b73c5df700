// SPDX-License-Identifier: Apache-2.0
// Sets of measured passes in a folder, a file for each device and its kernels, and those that are part of clconv.
#pragma once

#include "base/cache_folder.h"
#include "plan_records/pass_set.h"

#include <optional>
#include <string_view>
#include <vector>

namespace clconv {

/// Files are written whole. Two processes may measure passes of one device at once: each adds to what the other kept.
class PassStore {
public:
    /// `caches`: the caches' folder; sets are in "passes" below it.
    explicit PassStore(const CacheFolder& caches);

    /// Every readable set.
    [[nodiscard]] std::vector<PassSet> all() const;
    /// The set of a device with these kernels, and any driver.
    [[nodiscard]] std::optional<PassSet> of_device(const DeviceInfo& device, std::string_view kernels) const;
    /// Its sets with any kernels.
    [[nodiscard]] std::vector<PassSet> of_device(const DeviceInfo& device) const;
    /// Replaces the set of its device and kernels. False if it could not be written.
    bool keep(const PassSet& set) const;
    /// Keeps these passes with what is kept of the same driver and kernels (merged()). False if that could not be
    /// written.
    bool add(const PassSet& set) const;
    /// False if there was none that could be removed.
    bool forget(const PassSetKey& key) const;
    [[nodiscard]] const CacheFolder& folder() const { return folder_; }

private:
    CacheFolder folder_;
};

/// The passes that are part of clconv (data/tuning), of the generation of `device` (plan_records/lookup.h): reading a
/// file takes milliseconds. All of them if it is empty.
[[nodiscard]] std::vector<PassSet> shipped_passes(std::string_view device = {});

}  // namespace clconv
