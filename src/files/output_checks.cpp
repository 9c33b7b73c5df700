// SPDX-License-Identifier: Apache-2.0
#include "files/output_checks.h"

#include "base/errors.h"
#include "base/lower_case.h"
#include "base/temporary_file.h"
#include "files/file_identity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <compare>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

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

std::optional<struct stat> status_of(const fs::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// A file or folder of the disk. Paths do not tell: a folder may be mounted at two places, and a file system may ignore
/// the case of names.
struct DiskNode {
    dev_t device = 0;
    ino_t number = 0;

    friend auto operator<=>(const DiskNode&, const DiskNode&) = default;  // NOLINT(modernize-use-nullptr)
};

DiskNode node_of(const struct stat& status) { return {status.st_dev, status.st_ino}; }

/// A place for a file: a folder that exists, and the path from there.
struct DiskPlace {
    DiskNode folder;
    fs::path rest;

    friend auto operator<=>(const DiskPlace&, const DiskPlace&) = default;  // NOLINT(modernize-use-nullptr)
};

/// The places of files; every folder is looked up once.
class DiskPlaces {
public:
    DiskPlace of(const fs::path& file)
    {
        Found& found = known_[folder_of(file)];
        if (found.path.empty()) found = found_for(folder_of(file));
        return {found.node, found.rest / file.filename()};
    }

    /// The folder of that place as a path.
    fs::path folder(const fs::path& file) { return known_[folder_of(file)].path; }

private:
    struct Found {
        fs::path path;
        DiskNode node;
        fs::path rest;
    };

    static Found found_for(const fs::path& folder)
    {
        Found found{fs::absolute(folder), {}, {}};
        std::optional<struct stat> status = status_of(found.path);
        while (!status && found.path.has_relative_path()) {
            found.rest = found.rest.empty() ? found.path.filename() : found.path.filename() / found.rest;
            found.path = found.path.parent_path();
            status = status_of(found.path);
        }
        if (status) found.node = node_of(*status);
        return found;
    }

    std::map<fs::path, Found> known_;
};

/// "out/b.png", or "out/a.png, the same file as out/b.png,".
std::string both_in_words(const ItemInfo& second, const ItemInfo& first)
{
    if (first.output == second.output) return second.output.string() + ":";
    return fmt::format("{}, the same file as {},", second.output.string(), first.output.string());
}

[[noreturn]] void refuse_second(const ItemInfo& first, const ItemInfo& second)
{
    if (first.input == second.input && first.output == second.output)
        throw InvalidProblem(
            fmt::format("{}: would be written for {} with two PSFs, both called {}; tell them apart with "
                        "{{index}} in --name, or rename one",
                        second.output.string(), second.input.string(), second.psf));
    throw InvalidProblem(
        fmt::format("{} would be written for two inputs, {} and {}; tell them apart with --name, for "
                    "example --name \"{{stem}}_{{index}}{{ext}}\", or run them into two folders",
                    both_in_words(second, first), first.input.string(), second.input.string()));
}

/// The files that a run reads, to tell whether an output is one of them.
class RunSources {
public:
    void add(const fs::path& file)
    {
        paths_.emplace(file_identity(file), file);
        if (const std::optional<struct stat> status = status_of(file)) nodes_.emplace(node_of(*status), file);
    }

    /// The file that an output of this name would replace; empty if there is none. A hard link in another folder is no
    /// such file: its output takes the place of one name only.
    [[nodiscard]] fs::path replaced_by(const fs::path& output) const
    {
        if (const auto source = paths_.find(file_identity(output)); source != paths_.end()) return source->second;
        const std::optional<struct stat> status = status_of(output);
        if (!status) return {};
        const auto source = nodes_.find(node_of(*status));
        if (source == nodes_.end()) return {};
        return status->st_nlink == 1 || has_folder_of(output, source->second) ? source->second : fs::path();
    }

private:
    static bool has_folder_of(const fs::path& a, const fs::path& b)
    {
        std::error_code failure;
        return fs::equivalent(folder_of(a), folder_of(b), failure);
    }

    std::map<fs::path, fs::path> paths_;
    std::map<DiskNode, fs::path> nodes_;
};

}  // namespace

void check_distinct(const std::vector<Item>& items)
{
    DiskPlaces places;
    std::map<DiskPlace, const ItemInfo*> taken;
    for (const Item& item : items) {
        const auto [other, is_new] = taken.try_emplace(places.of(item.info.output), &item.info);
        if (!is_new) refuse_second(*other->second, item.info);
    }
}

void check_distinct_in_any_case(const std::vector<Item>& items, const std::function<bool(const fs::path&)>& ignores)
{
    DiskPlaces places;
    std::map<DiskPlace, const ItemInfo*> taken;
    std::map<DiskNode, bool> known;
    for (const Item& item : items) {
        DiskPlace place = places.of(item.info.output);
        place.rest = lower_case(place.rest.string());
        const auto [other, is_new] = taken.try_emplace(place, &item.info);
        if (is_new) continue;
        const auto [folder, is_unknown] = known.try_emplace(place.folder, false);
        if (is_unknown) folder->second = ignores(places.folder(item.info.output));
        if (folder->second) refuse_second(*other->second, item.info);
    }
}

bool ignores_case(const fs::path& folder)
{
    try {
        const TemporaryFile file(folder / "case");
        std::string name = file.path().filename().string();
        std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::toupper(letter); });
        return fs::exists(folder / name);
    } catch (const std::exception&) {  // nothing can be written there, which is reported later
        return false;
    }
}

void check_not_inputs(const std::vector<Item>& items, const std::vector<fs::path>& others)
{
    RunSources sources;
    for (const fs::path& other : others) sources.add(other);
    for (const Item& item : items) sources.add(item.info.input);
    for (const Item& item : items) {
        const fs::path source = sources.replaced_by(item.info.output);
        if (source.empty()) continue;
        throw InvalidProblem(
            fmt::format("{}: the output for {} would replace the input {}; choose another --output or --name",
                        item.info.output.string(), item.info.input.string(), source.string()));
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

void settle_existing(std::vector<Item>& items, Existing policy, const char* remedy)
{
    std::vector<std::string> existing;
    for (Item& item : items) {
        item.existing = policy;
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
    throw OutputExists(fmt::format("{} of {} outputs exist already: {}{}; {}", count, items.size(),
                                   fmt::join(existing, ", "), count > kNamedInMessage ? ", ..." : "", remedy));
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
