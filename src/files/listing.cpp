// SPDX-License-Identifier: Apache-2.0
#include "files/listing.h"

#include "base/errors.h"
#include "base/extension.h"
#include "base/special_file.h"
#include "base/stoppable.h"
#include "files/file_identity.h"
#include "files/folder_walk.h"
#include "files/frames.h"
#include "files/glob.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace clconv {

namespace fs = std::filesystem;

namespace {

class Lister {
public:
    Lister(const InputRequest& request, const std::set<std::string>& extensions, Messages& messages)
        : request_(request), extensions_(extensions), messages_(messages)
    {
        if (!request.skip_folder.empty()) skip_folder_ = file_identity(request.skip_folder);
    }

    void add_input(const std::string& input)
    {
        if (input.empty())
            throw InvalidProblem("an INPUT is empty, as a quoted variable without a value is; give a file or a folder");
        std::error_code failure;
        const bool exists = fs::exists(input, failure);
        const std::optional<FramePattern> frames = exists ? std::nullopt : frame_pattern(input);
        if (fs::is_directory(input, failure)) {
            add_named_folder(input);
        } else if (frames) {
            add_frames(input, *frames);
        } else if (!exists && is_pattern(input)) {
            add_pattern(input);
        } else {
            add_named_file(input);
        }
    }

    std::vector<InputFile> result()
    {
        if (!request_.frames.empty() && !has_frame_pattern_)
            throw InvalidProblem(
                "--frames: no INPUT has a place for a frame's number; write shot.####.exr, shot.@@@@.exr or "
                "shot.%04d.exr (if a file has exactly this name, it is that file)");
        for (auto& [extension, names] : left_out_)  // without files that are also named
            std::erase_if(names, [this](const auto& name) { return listed_.contains(name.first); });
        std::erase_if(left_out_, [](const auto& kind) { return kind.second.empty(); });
        if (existing_ == 0) throw NoInput(nothing_found());
        for (const auto& [extension, names] : left_out_)
            messages_.message(Level::warning, fmt::format("left out: {}, such as {}", left_out_in_words(extension),
                                                          names.begin()->second.string()));
        for (const std::string& looked_for : notes_) messages_.message(Level::warning, "no input: " + looked_for);
        std::ranges::sort(files_, {}, [](const InputFile& file) -> const std::string& {
            return file.order.empty() ? file.path.native() : file.order;
        });
        return std::move(files_);
    }

private:
    void note(std::string looked_for) { notes_.push_back(std::move(looked_for)); }

    void debug(const fs::path& path, std::string_view why)
    {
        messages_.message(Level::debug, fmt::format("{}: left out, {}", path.string(), why));
    }

    [[nodiscard]] std::string nothing_found() const
    {
        std::vector<std::string> looked_for = notes_;
        looked_for.insert(looked_for.end(), missing_.begin(), missing_.end());
        for (const auto& [extension, names] : left_out_) looked_for.push_back(left_out_in_words(extension));
        if (filtered_ > 0) looked_for.push_back(fmt::format("{} left out by --include or --exclude", filtered_));
        return fmt::format("no input found; looked for: {}", fmt::join(looked_for, ", "));
    }

    [[nodiscard]] std::string left_out_in_words(const std::string& extension) const
    {
        const std::size_t count = left_out_.at(extension).size();
        const std::string_view remedy =
            extension == "fz" ? "fits writes FITS that is not compressed instead of" : "tif makes TIFF of";
        return fmt::format("{} image{} with the extension .{} (can be read, not written; --format {} {})", count,
                           count == 1 ? "" : "s", extension, remedy, count == 1 ? "it" : "them");
    }

    [[nodiscard]] bool wanted(const InputFile& file) const
    {
        const std::string name = file.path.filename().string();
        const std::string below = (file.folder / name).string();
        const auto matches = [&](const std::string& pattern) {
            return pattern.find('/') == std::string::npos ? matches_name(pattern, name) : matches_path(pattern, below);
        };
        if (std::ranges::any_of(request_.exclude, matches)) return false;
        return request_.include.empty() || std::ranges::any_of(request_.include, matches);
    }

    /// Whether --include and --exclude keep the file in the list.
    bool passes(const InputFile& file)
    {
        if (wanted(file)) return true;
        ++filtered_;
        debug(file.path, "by --include or --exclude");
        return false;
    }

    void add(InputFile file, bool exists)
    {
        if (!passes(file)) return;
        if (!listed_.insert(name_identity(file.path)).second) {
            debug(file.path, "it is listed already");
            return;
        }
        if (exists) ++existing_;
        files_.push_back(std::move(file));
    }

    void add_named_file(const std::string& input)
    {
        std::error_code failure;
        const bool exists = fs::exists(input, failure);
        if (!exists) missing_.push_back(fmt::format("{} ({})", input, failure ? failure.message() : "does not exist"));
        add({fs::path(input).lexically_normal(), {}}, exists);
    }

    /// Adds a file that the user has not named, if it is an image. Returns the number of images: 0 or 1.
    int add_found_file(const fs::path& path, const fs::path& folder, const std::string& order = {})
    {
        const std::string extension = extension_of(path);
        if (!extensions_.contains(extension)) {
            debug(path, "no image format that can be read has its extension");
            return 0;
        }
        if (const std::string special = special_file(path); !special.empty()) {
            messages_.message(Level::warning, fmt::format("{}: left out: it is {}, and images are regular files",
                                                          path.string(), special));
            return 0;
        }
        if (!request_.no_output.contains(extension))
            add({path, folder, order}, true);
        else if (passes({path, folder}))
            left_out_[extension].try_emplace(name_identity(path), path);
        return 1;
    }

    void add_frames(const std::string& input, const FramePattern& pattern)
    {
        has_frame_pattern_ = true;
        if (!request_.frames.empty()) return add_wanted_frames(input, pattern);
        int images = 0;
        for (const std::string& name : contents_of(pattern.folder).files)
            if (const std::optional<int> frame = pattern.number_in(name))
                images += add_found_file(pattern.file(*frame).lexically_normal(), {}, pattern.order(*frame));
        if (images == 0) add_named_file(input);  // it fails, because it does not exist
    }

    /// Adds all requested frames. Missing ones are listed like other named files, so that each fails alone.
    void add_wanted_frames(const std::string& input, const FramePattern& pattern)
    {
        constexpr std::size_t max_named = 10;
        std::vector<int> missing;
        std::error_code failure;
        for (const int frame : request_.frames) {
            const fs::path path = pattern.file(frame).lexically_normal();
            const bool exists = fs::exists(path, failure);
            if (!exists) missing.push_back(frame);
            add({path, {}, pattern.order(frame)}, exists);
        }
        if (missing.empty()) return;
        const std::size_t count = missing.size();
        const std::string_view more = count > max_named ? ", ..." : "";
        missing.resize(std::min(count, max_named));
        note(fmt::format("{} of {} frames of {} (missing: {}{})", count, request_.frames.size(), input,
                         fmt::join(missing, ", "), more));
    }

    /// Throws InputError.
    void report_unlisted(const fs::path& folder, const std::string& why)
    {
        const std::string text = fmt::format("{}: cannot be listed: {}", folder.string(), why);
        if (request_.whole) throw InputError(text);
        messages_.message(Level::warning, text);
    }

    /// Links could lead in circles. Throws InputError.
    void report_link(const fs::path& link)
    {
        if (file_identity(link) == skip_folder_) return debug(link, "it leads to the output folder");
        const std::string text = link.string() + ": is a link to a folder, and these are not followed";
        if (request_.whole) throw InputError(text + "; give the folder itself");
        messages_.message(Level::warning, text + "; give it as an INPUT of its own");
    }

    /// If it cannot be listed, it fails as a named file does that cannot be read.
    void add_named_folder(const std::string& input)
    {
        const FolderContents contents = contents_of(input);
        const int images = add_contents(input, {}, contents);
        if (!contents.error.empty()) {
            missing_.push_back(fmt::format("{} (a folder that cannot be listed: {})", input, contents.error));
            add({fs::path(input).lexically_normal(), {}}, false);
        } else if (images == 0) {
            note(input + " (a folder without images that can be read)");
        }
    }

    int add_folder(const fs::path& folder, const fs::path& relative)
    {
        return add_contents(folder, relative, contents_of(folder));
    }

    int add_contents(const fs::path& folder, const fs::path& relative, const FolderContents& contents)
    {
        if (!contents.error.empty()) report_unlisted(folder, contents.error);
        int images = 0;
        for (const std::string& name : contents.files)
            images += add_found_file((folder / name).lexically_normal(), relative);
        if (!request_.recursive) return images;
        for (const std::string& name : contents.linked_folders) report_link(folder / name);
        for (const std::string& name : contents.folders) {
            if (file_identity(folder / name) == skip_folder_)
                debug(folder / name, "it is the output folder");
            else
                images += add_folder(folder / name, relative / name);
        }
        return images;
    }

    void add_pattern(const std::string& pattern)
    {
        const PatternMatches matches = expand(pattern, skip_folder_);
        for (const fs::path& folder : matches.skipped) debug(folder, "it is the output folder");
        for (const UnlistedFolder& folder : matches.unlisted) report_unlisted(folder.path, folder.error);
        int images = 0;
        for (const fs::path& path : matches.paths) {
            const fs::path relative = path.lexically_relative(matches.base);
            std::error_code failure;
            if (fs::is_directory(path, failure))
                images += add_folder(path, relative);
            else
                images += add_found_file(path, relative.parent_path());
        }
        if (images > 0) return;
        if (matches.paths.empty())
            note(pattern + " (a pattern that matches nothing)");
        else
            note(fmt::format("{} (a pattern that matches {}, but no image that can be read)", pattern,
                             matches.paths.size()));
    }

    const InputRequest& request_;
    const std::set<std::string>& extensions_;
    Messages& messages_;
    fs::path skip_folder_;
    std::vector<InputFile> files_;
    std::set<fs::path> listed_;
    std::vector<std::string> notes_;    ///< INPUTs without images, and why
    std::vector<std::string> missing_;  ///< named files that do not exist, and why
    /// By extension, files for which no output can be made: their identities and the paths by which they were found.
    std::map<std::string, std::map<fs::path, fs::path>> left_out_;
    bool has_frame_pattern_ = false;
    int existing_ = 0;
    int filtered_ = 0;
};

/// All bytes of a file, or of standard input for "-".
std::string text_of_list(const std::string& file, const std::atomic<int>& stop)
{
    // A FIFO is opened without waiting. Its first bytes are waited for.
    const int opened = file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    std::string text;
    std::array<char, 1 << 16> block;
    ssize_t count = opened;
    while (count >= 0 && (count = read_unless_stopped(opened, block.data(), block.size(), stop)) > 0)
        text.append(block.data(), static_cast<std::size_t>(count));
    const int reason = errno;
    if (file != "-" && opened >= 0) ::close(opened);
    if (count >= 0) return text;
    if (stop != 0) throw InputError(fmt::format("--files-from {}: stopped before its end", file));
    throw NoInput(fmt::format("--files-from {}: cannot be read: {}; give a text file with one INPUT a line", file,
                              std::strerror(reason)));
}

}  // namespace

std::vector<InputFile> list_inputs(const InputRequest& request, const std::set<std::string>& extensions,
                                   Messages& messages)
{
    Lister lister(request, extensions, messages);
    for (const std::string& input : request.inputs) lister.add_input(input);
    return lister.result();
}

std::vector<std::string> lines_of(const std::string& file, const std::atomic<int>& stop)
{
    std::istringstream text(text_of_list(file, stop));
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8, which editors of Windows write
    if (text.view().starts_with(byte_order_mark)) text.ignore(byte_order_mark.size());
    const bool has_nulls = text.view().find('\0') != std::string_view::npos;  // then names may hold ends of lines
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line, has_nulls ? '\0' : '\n');) {
        if (!has_nulls && !line.empty() && line.back() == '\r') line.pop_back();
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

}  // namespace clconv
