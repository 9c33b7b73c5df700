// SPDX-License-Identifier: Apache-2.0
#include "plan_records/store.h"

#include "base/fingerprint.h"
#include "plan_records/kept_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace clconv {

std::map<std::string, std::string> embedded_tuning();  // made by cmake/EmbedFiles.cmake

namespace {

std::string device_prefix(std::string_view platform, std::string_view device)
{
    return fmt::format("{:08x}-", fingerprint(fmt::format("{}|{}", platform, device)) >> 32);
}

std::string file_name(const RecordKey& key)
{
    const std::string text = fmt::format("{}|{}|{}|{}|{}|{}|{}", key.platform, key.device, key.compute_units,
                                         key.driver, key.kernels, key.problem, fmt::join(key.forced, " "));
    return fmt::format("{}{:016x}.json", device_prefix(key.platform, key.device), fingerprint(text));
}

std::vector<Record> records_in(const CacheFolder& folder, const std::string& prefix)
{
    return kept_in(folder, prefix, parse_record, file_name);
}

}  // namespace

std::vector<Record> RecordStore::all() const { return records_in(folder_, ""); }

std::vector<Record> RecordStore::of_device(const DeviceInfo& device) const
{
    std::vector<Record> records;
    for (Record& record : records_in(folder_, device_prefix(device.platform, device.name)))
        if (record.key.platform == device.platform && record.key.device == device.name &&
            record.key.compute_units == device.compute_units)
            records.push_back(std::move(record));
    return records;
}

bool RecordStore::keep(const Record& record) const { return folder_.write(file_name(record.key), record_text(record)); }

bool RecordStore::forget(const RecordKey& key) const { return folder_.remove(file_name(key)); }

std::vector<Record> shipped_records(std::string_view device)
{
    std::vector<Record> records;
    for (const auto& [file, text] : embedded_tuning()) {
        if (text.find(device) == std::string::npos) continue;
        if (auto entries = parse_records(text))
            records.insert(records.end(), std::make_move_iterator(entries->begin()),
                           std::make_move_iterator(entries->end()));
    }
    return records;
}

}  // namespace clconv
