#include "opencl/kernel_source.h"

#include "base/errors.h"
#include "base/fingerprint.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace clconv {

std::map<std::string, std::string> embedded_kernels();  // made by cmake/EmbedFiles.cmake

KernelSource KernelSource::embedded() { return KernelSource(embedded_kernels()); }

KernelSource KernelSource::from_folder(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cl") continue;
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

std::string KernelSource::expanded(const std::string& file) const
{
    const auto found = files_.find(file);
    if (found == files_.end()) throw InputError(fmt::format("kernels: {} is missing", file));

    constexpr std::string_view include = "#include \"";
    std::string text = fmt::format("#line 1 \"{}\"\n", file);
    std::istringstream in(found->second);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (line.starts_with(include)) {
            const std::string name = line.substr(include.size(), line.find('"', include.size()) - include.size());
            text += expanded(name) + fmt::format("#line {} \"{}\"\n", number + 1, file);
        } else {
            text += line + "\n";
            // A #line of an include that was skipped was skipped as well.
            if (line.starts_with("#e")) text += fmt::format("#line {} \"{}\"\n", number + 1, file);
        }
    }
    return text;
}

}  // namespace clconv
