// SPDX-License-Identifier: Apache-2.0
// Records in a folder: one small file for each key, written whole and never changed. Two processes may tune at once:
// different keys have different files, and for one key the last complete record wins.
#pragma once

#include "base/cache_folder.h"
#include "plan_records/record.h"

#include <string_view>
#include <vector>

namespace clconv {

class RecordStore {
public:
    /// `folder`: the caches' folder; records are in "tuning" below it.
    explicit RecordStore(const CacheFolder& caches) : folder_(caches.below("tuning")) {}

    /// Every readable record, in the order of the files' names. Torn and foreign files are left out.
    [[nodiscard]] std::vector<Record> all() const;

    /// The records of one device, whatever its driver.
    [[nodiscard]] std::vector<Record> of_device(const DeviceInfo& device) const;

    /// False if it could not be written.
    bool keep(const Record& record) const;

    /// Removes the record of this key. False if there was none that could be removed.
    bool forget(const RecordKey& key) const;

    [[nodiscard]] const CacheFolder& folder() const { return folder_; }

private:
    CacheFolder folder_;
};

/// The records that are part of clconv, data/tuning: all, or those of files that name `device`, because reading all
/// takes milliseconds.
[[nodiscard]] std::vector<Record> shipped_records(std::string_view device = {});

}  // namespace clconv
