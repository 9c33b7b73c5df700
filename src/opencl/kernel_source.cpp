// SPDX-License-Identifier: Apache-2.0
#include "opencl/kernel_source.h"

#include "base/errors.h"
#include "base/fingerprint.h"
#include "base/special_file.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace clconv {

std::map<std::string, std::string> embedded_kernels();  // made by cmake/EmbedFiles.cmake

namespace {

/// Joins the files of one program.
class Expansion {
public:
    explicit Expansion(const std::map<std::string, std::string>& files) : files_(files) {}

    /// Throws InputError naming a file that is missing.
    std::string of(const std::string& file)
    {
        const auto found = files_.find(file);
        if (found == files_.end()) throw InputError(fmt::format("kernels: {} is missing", file));
        std::string text = fmt::format("#line 1 \"{}\"\n", file);
        std::istringstream in(found->second);
        std::string line;
        for (int number = 1; std::getline(in, line); ++number) text += of_line(line, {file, number});
        return text;
    }

private:
    struct Place {
        const std::string& file;
        int line;
        /// The directive that gives the next line's number and file to compilers.
        [[nodiscard]] std::string next() const { return fmt::format("#line {} \"{}\"\n", line + 1, file); }
    };

    std::string of_line(const std::string& line, const Place& place)
    {
        constexpr std::string_view include = "#include \"";
        if (line.starts_with(include)) {
            const std::string name = line.substr(include.size(), line.find('"', include.size()) - include.size());
            return there_.contains(name) ? "\n" : of(name) + place.next();
        }
        if (line == "#pragma once") {
            // Inside a condition, compilers may skip the text, and it may be needed again elsewhere.
            if (conditions_ == 0) there_.insert(place.file);
            return "\n";
        }
        if (line.starts_with("#if")) ++conditions_;
        if (line.starts_with("#endif")) --conditions_;
        // The #line of a skipped include was skipped too.
        return line + "\n" + (line.starts_with("#e") ? place.next() : "");
    }

    const std::map<std::string, std::string>& files_;
    std::set<std::string> there_;  ///< files with #pragma once that the program certainly has
    int conditions_ = 0;           ///< open ones, in all files
};

}  // namespace

KernelSource KernelSource::embedded() { return KernelSource(embedded_kernels()); }

KernelSource KernelSource::from_folder(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cl") continue;
        if (const std::string special = special_file(entry.path()); !special.empty())
            throw InputError(fmt::format("{}: is {}, not a file of kernels", entry.path().string(), special));
        std::ifstream in(entry.path(), std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        if (!in) throw InputError(fmt::format("{}: cannot be read", entry.path().string()));
        files[entry.path().filename().string()] = text.str();
    }
    if (error) throw InputError(fmt::format("--kernel-dir {}: {}", folder.string(), error.message()));
    if (files.empty())
        throw InputError(
            fmt::format("--kernel-dir {}: holds no .cl file; give a copy of the folder kernels/", folder.string()));
    return KernelSource(std::move(files));
}

KernelSource KernelSource::with(const std::string& file, std::string text) const
{
    KernelSource more = *this;
    more.files_[file] = std::move(text);
    return more;
}

std::string KernelSource::fingerprint() const
{
    std::string all;
    for (const auto& [name, text] : files_) all.append(name).append("\n").append(text);
    return fmt::format("{:016x}", clconv::fingerprint(all));
}

std::vector<std::string> KernelSource::files() const
{
    std::vector<std::string> names;
    for (const auto& [name, text] : files_) names.push_back(name);
    return names;
}

std::string KernelSource::expanded(const std::string& file) const { return Expansion(files_).of(file); }

}  // namespace clconv
