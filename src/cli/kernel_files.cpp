// SPDX-License-Identifier: Apache-2.0
#include "cli/kernel_files.h"

#include "base/errors.h"
#include "base/special_file.h"
#include "files/output_checks.h"
#include "opencl/program.h"
#include "report/text_file.h"

#include <fmt/format.h>

#include <set>

namespace clconv {

namespace fs = std::filesystem;

namespace {

/// File systems allow names of 255 bytes, including extension, number and the additions of a temporary file.
constexpr std::size_t kStemBytes = 200;

/// "name.cl", or "name-2.cl" and so on if programs have the same name. Adds it to `taken`.
std::string free_name(const std::string& name, std::set<std::string>& taken)
{
    std::string free = name + ".cl";
    for (int number = 2; !taken.insert(free).second; ++number) free = fmt::format("{}-{}.cl", name, number);
    return free;
}

std::vector<fs::path> files_of(const fs::path& folder, const std::vector<Recipe>& programs)
{
    std::set<std::string> taken;
    std::vector<fs::path> files;
    for (const Recipe& program : programs)
        files.push_back(folder / free_name(program.name.substr(0, kStemBytes), taken));
    return files;
}

void check_files(const std::vector<fs::path>& files, bool overwrite)
{
    std::error_code failure;
    for (const fs::path& file : files) {
        check_folder_of(file, "--kernels");
        if (is_folder(file))
            throw InvalidProblem(fmt::format("{}: is a folder; choose another folder for --kernels", file.string()));
        if (fs::exists(fs::symlink_status(file, failure)) && !overwrite)
            throw OutputExists(
                fmt::format("{}: exists; use --overwrite, or choose another folder for --kernels", file.string()));
    }
}

std::string file_text(const Recipe& program, const std::string& plan)
{
    ProgramText finished = program_text(KernelSource::embedded(), program);
    while (finished.options.ends_with(' ')) finished.options.pop_back();
    return fmt::format("// Program: {}\n// Options: {}\n// Plan: {}\n\n{}", program.name, finished.options, plan,
                       finished.text);
}

}  // namespace

std::vector<fs::path> write_kernel_files(const fs::path& folder, const std::vector<Recipe>& programs,
                                         const std::string& plan, bool overwrite)
{
    std::vector<fs::path> files = files_of(folder, programs);
    check_files(files, overwrite);
    for (std::size_t i = 0; i < files.size(); ++i) write_text_file(files[i], file_text(programs[i], plan));
    return files;
}

}  // namespace clconv
