// SPDX-License-Identifier: Apache-2.0
#include "files/folder_walk.h"

#include "files/file_identity.h"
#include "files/glob.h"

#include <algorithm>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// Follows a pattern's components through the file system.
class PatternWalk {
public:
    PatternWalk(std::vector<std::string> components, const fs::path& skip, PatternMatches& found)
        : components_(std::move(components)), skip_(skip), found_(found)
    {
    }

    void from(const fs::path& place, std::size_t component)
    {
        if (component == components_.size()) {
            found_.paths.push_back(place);
            return;
        }
        const std::string& wanted = components_[component];
        if (wanted == "**")
            any_depth(place, component);
        else if (is_pattern(wanted))
            matching(place, component);
        else if (std::error_code failure; fs::exists(place / wanted, failure))
            from(place / wanted, component + 1);
    }

private:
    [[nodiscard]] bool is_last(std::size_t component) const { return component + 1 == components_.size(); }

    void any_depth(const fs::path& place, std::size_t component)
    {
        from(place, component + 1);
        for (const std::string& folder : listed(place).folders)
            if (!skips(place / folder)) any_depth(place / folder, component);
    }

    void matching(const fs::path& place, std::size_t component)
    {
        const FolderContents contents = listed(place);
        for (const auto* folders : {&contents.folders, &contents.linked_folders})
            for (const std::string& name : *folders)
                if (matches_name(components_[component], name) && !skips(place / name))
                    from(place / name, component + 1);
        if (!is_last(component)) return;
        for (const std::string& name : contents.files)
            if (matches_name(components_[component], name)) found_.paths.push_back(place / name);
    }

    FolderContents listed(const fs::path& place)
    {
        FolderContents contents = contents_of(place);
        const auto is_this = [&](const UnlistedFolder& known) { return known.path == place; };
        if (!contents.error.empty() && std::ranges::none_of(found_.unlisted, is_this))
            found_.unlisted.push_back({place, contents.error});
        return contents;
    }

    bool skips(const fs::path& place)
    {
        if (skip_.empty() || file_identity(place) != skip_) return false;
        if (std::ranges::find(found_.skipped, place) == found_.skipped.end()) found_.skipped.push_back(place);
        return true;
    }

    std::vector<std::string> components_;
    const fs::path& skip_;
    PatternMatches& found_;
};

}  // namespace

FolderContents contents_of(const fs::path& folder)
{
    FolderContents contents;
    std::error_code failure;
    const fs::path& place = folder.empty() ? fs::path(".") : folder;
    for (fs::directory_iterator entry(place, failure), end; !failure && entry != end; entry.increment(failure)) {
        std::string name = entry->path().filename().string();
        if (name.starts_with('.')) continue;
        std::error_code ignored;
        if (!entry->is_directory(ignored))
            contents.files.push_back(std::move(name));
        else if (entry->is_symlink(ignored))
            contents.linked_folders.push_back(std::move(name));
        else
            contents.folders.push_back(std::move(name));
    }
    if (failure) contents.error = failure.message();
    std::ranges::sort(contents.files);
    std::ranges::sort(contents.folders);
    std::ranges::sort(contents.linked_folders);
    return contents;
}

PatternMatches expand(std::string_view pattern, const fs::path& skip)
{
    std::vector<std::string> components = path_components(pattern);
    // A closing ** means every file below, and files are matched by names.
    if (!components.empty() && components.back() == "**") components.emplace_back("*");
    const auto fixed_end = std::ranges::find_if(components, [](const std::string& part) { return is_pattern(part); });
    PatternMatches matches;
    if (pattern.starts_with('/')) matches.base = "/";
    for (auto part = components.begin(); part != fixed_end; ++part) matches.base /= *part;
    components.erase(components.begin(), fixed_end);
    PatternWalk(std::move(components), skip, matches).from(matches.base, 0);
    return matches;
}

}  // namespace clconv
