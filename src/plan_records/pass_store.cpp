// SPDX-License-Identifier: Apache-2.0
#include "plan_records/pass_store.h"

#include "base/fingerprint.h"
#include "plan_records/kept_files.h"
#include "plan_records/lookup.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

namespace clconv {

std::map<std::string, std::string> embedded_tuning();  // made by cmake/EmbedFiles.cmake

namespace {

/// The beginning of the names of a device's sets.
std::string device_of_sets(const PassSetKey& key)
{
    return fmt::format("{:016x}-", fingerprint(fmt::format("{}|{}|{}", key.platform, key.device, key.compute_units)));
}

std::string set_file_name(const PassSetKey& key)
{
    return fmt::format("{}{:016x}.json", device_of_sets(key), fingerprint(key.kernels));
}

std::vector<PassSet> sets_in(const CacheFolder& folder, const std::string& prefix)
{
    return kept_in(folder, prefix, parse_pass_set, set_file_name);
}

/// The device that a file of data/tuning is of, found without reading all of it.
std::string_view device_of(std::string_view text)
{
    constexpr std::string_view field = "\"device\": \"";
    const std::size_t at = text.find(field);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + field.size());
    return text.substr(0, text.find('"'));
}

}  // namespace

PassStore::PassStore(const CacheFolder& caches) : folder_(caches.below("passes")) {}

std::vector<PassSet> PassStore::all() const { return sets_in(folder_, ""); }

std::optional<PassSet> PassStore::of_device(const DeviceInfo& device, std::string_view kernels) const
{
    PassSetKey key = pass_set_key(device, kernels);
    const auto text = folder_.read(set_file_name(key));
    auto set = text ? parse_pass_set(*text) : std::nullopt;
    if (!set) return std::nullopt;
    key.driver = set->key.driver;
    if (set->key != key) return std::nullopt;
    return set;
}

std::vector<PassSet> PassStore::of_device(const DeviceInfo& device) const
{
    return sets_in(folder_, device_of_sets(pass_set_key(device, {})));
}

bool PassStore::keep(const PassSet& set) const { return folder_.write(set_file_name(set.key), pass_set_text(set)); }

bool PassStore::add(const PassSet& set) const
{
    const CacheFolder::Lock lock = folder_.lock();
    return keep(merged(all(), set));
}

bool PassStore::forget(const PassSetKey& key) const { return folder_.remove(set_file_name(key)); }

std::vector<PassSet> shipped_passes(std::string_view device)
{
    std::vector<PassSet> sets;
    for (const auto& [file, text] : embedded_tuning()) {
        if (text.find("\"clconv_passes\"") == std::string::npos) continue;
        if (!device.empty() && device_generation(device_of(text)) != device_generation(device)) continue;
        for (PassSet& set : parse_exported_passes(text)) sets.push_back(std::move(set));
    }
    return sets;
}

}  // namespace clconv
