// SPDX-License-Identifier: Apache-2.0
#include "files/output_checks.h"

#include "base/errors.h"
#include "base/temporary_file.h"
#include "files/file_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>
#include <string>

namespace clconv {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNamedInMessage = 3;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

std::set<fs::path> folders_of(const std::vector<Item>& items)
{
    std::set<fs::path> folders;
    for (const Item& item : items) folders.insert(folder_of(item.info.output));
    return folders;
}

/// Why `folder` is not writable and cannot be made; empty if it is or can.
std::string obstacle(const fs::path& folder)
{
    fs::path place = fs::absolute(folder);
    std::error_code failure;
    while (!fs::exists(fs::symlink_status(place, failure)) && place.has_relative_path()) place = place.parent_path();
    if (!fs::is_directory(place, failure)) return place.string() + " is not a folder";
    if (access(place.c_str(), W_OK | X_OK) != 0) return place.string() + ": " + std::strerror(errno);
    return {};
}

void check_folder(const fs::path& folder, const std::string& option)
{
    const std::string why = obstacle(folder);
    if (!why.empty())
        throw InvalidProblem(
            fmt::format("{}: cannot be written to or made: {}; choose another {}", folder.string(), why, option));
}

}  // namespace

void check_distinct(const std::vector<Item>& items)
{
    std::map<fs::path, const Item*> taken;
    for (const Item& item : items) {
        const auto [other, is_new] = taken.try_emplace(item.info.output, &item);
        if (is_new) continue;
        const ItemInfo& first = other->second->info;
        if (first.input == item.info.input)
            throw InvalidProblem(
                fmt::format("{}: would be written for {} with two PSFs, both called {}; tell them apart with "
                            "{{index}} in --name, or rename one",
                            item.info.output.string(), item.info.input.string(), item.info.psf));
        throw InvalidProblem(
            fmt::format("{}: would be written for two inputs, {} and {}; tell them apart with --name, for "
                        "example --name \"{{stem}}_{{index}}{{ext}}\", or run them into two folders",
                        item.info.output.string(), first.input.string(), item.info.input.string()));
    }
}

void check_not_inputs(const std::vector<Item>& items, const std::vector<fs::path>& others)
{
    std::map<fs::path, fs::path> sources;
    for (const fs::path& other : others) sources.emplace(file_identity(other), other);
    for (const Item& item : items) sources.emplace(file_identity(item.info.input), item.info.input);
    for (const Item& item : items) {
        const auto source = sources.find(file_identity(item.info.output));
        if (source == sources.end()) continue;
        throw InvalidProblem(
            fmt::format("{}: the output for {} would replace the input {}; choose another --output or --name",
                        item.info.output.string(), item.info.input.string(), source->second.string()));
    }
}

void check_below(const std::vector<Item>& items, const fs::path& folder)
{
    const fs::path top = file_identity(folder.empty() ? fs::path(".") : folder);
    std::set<fs::path> known;
    for (const Item& item : items) {
        const fs::path parent = folder_of(item.info.output);
        if (!known.insert(parent).second) continue;
        const fs::path place = file_identity(parent);
        const auto [rest, end] = std::ranges::mismatch(top, place);
        // "/out/" has an empty last component.
        if (rest == top.end() || rest->empty()) continue;
        throw InvalidProblem(
            fmt::format("{}: the output for {} would lie in {}, outside of --output {}; give an "
                        "INPUT without .. behind a wildcard, and no link that leads out of the "
                        "output folder",
                        item.info.output.string(), item.info.input.string(), place.string(), folder.string()));
    }
}

void check_folders(const std::vector<Item>& items)
{
    for (const fs::path& folder : folders_of(items)) check_folder(folder, "--output");
}

void check_folder_of(const fs::path& file, const std::string& option) { check_folder(folder_of(file), option); }

void settle_existing(std::vector<Item>& items, Existing policy)
{
    std::vector<std::string> existing;
    for (Item& item : items) {
        std::error_code failure;
        const fs::file_status status = fs::symlink_status(item.info.output, failure);
        if (!fs::exists(status)) continue;
        if (fs::is_directory(status))
            throw InvalidProblem(
                fmt::format("{}: is a folder, and the output for {} would have its name; choose another --name",
                            item.info.output.string(), item.info.input.string()));
        existing.push_back(item.info.output.string());
        item.skip = policy == Existing::skip;
    }
    if (policy != Existing::refuse || existing.empty()) return;
    const std::size_t count = existing.size();
    existing.resize(std::min(count, kNamedInMessage));
    throw OutputExists(
        fmt::format("{} of {} outputs exist already: {}{}; use --overwrite to replace or --skip-existing to keep them",
                    count, items.size(), fmt::join(existing, ", "), count > kNamedInMessage ? ", ..." : ""));
}

void make_folders(const std::vector<Item>& items)
{
    for (const fs::path& folder : folders_of(items)) {
        std::error_code failure;
        fs::create_directories(folder, failure);
        if (failure)
            throw InvalidProblem(fmt::format("{}: the output folder cannot be made: {}; choose another --output",
                                             folder.string(), failure.message()));
    }
}

std::size_t remove_abandoned(const std::vector<Item>& items)
{
    std::size_t removed = 0;
    for (const fs::path& folder : folders_of(items)) removed += remove_abandoned_temporaries(folder);
    return removed;
}

}  // namespace clconv
