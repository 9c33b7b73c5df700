#include "batch/folder_walk.h"

#include "batch/glob.h"

#include <algorithm>
#include <optional>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// Follows a pattern's components through the file system.
class PatternWalk {
public:
    PatternWalk(std::vector<std::string> components, std::vector<PatternMatch>& found)
        : components_(std::move(components)), found_(found)
    {
    }

    void from(const fs::path& place, std::size_t component, const std::optional<fs::path>& root)
    {
        if (component == components_.size()) {
            add(place, root);
            return;
        }
        const std::string& wanted = components_[component];
        if (wanted == "**")
            any_depth(place, component, root ? *root : place);
        else if (is_pattern(wanted))
            matching(place, component, root);
        else if (std::error_code failure; fs::exists(place / wanted, failure))
            from(place / wanted, component + 1, root);
    }

private:
    void add(const fs::path& place, const std::optional<fs::path>& root)
    {
        found_.push_back({place, root ? *root : place.parent_path(), root.has_value()});
    }

    [[nodiscard]] bool is_last(std::size_t component) const { return component + 1 == components_.size(); }

    void any_depth(const fs::path& place, std::size_t component, const fs::path& root)
    {
        from(place, component + 1, root);
        for (const std::string& folder : contents_of(place).folders) any_depth(place / folder, component, root);
    }

    void matching(const fs::path& place, std::size_t component, const std::optional<fs::path>& root)
    {
        const FolderContents contents = contents_of(place);
        for (const auto* folders : {&contents.folders, &contents.linked_folders})
            for (const std::string& name : *folders)
                if (matches_name(components_[component], name)) from(place / name, component + 1, root);
        if (!is_last(component)) return;
        for (const std::string& name : contents.files)
            if (matches_name(components_[component], name)) add(place / name, root);
    }

    std::vector<std::string> components_;
    std::vector<PatternMatch>& found_;
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

std::vector<PatternMatch> expand(std::string_view pattern)
{
    std::vector<std::string> components = path_components(pattern);
    // A closing ** means every file below, and files are matched by names.
    if (!components.empty() && components.back() == "**") components.emplace_back("*");
    std::vector<PatternMatch> matches;
    PatternWalk(std::move(components), matches).from(pattern.starts_with('/') ? "/" : "", 0, std::nullopt);
    return matches;
}

}  // namespace clconv
