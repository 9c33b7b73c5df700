// SPDX-License-Identifier: Apache-2.0
// The text of the kernels: embedded at build time, or read from a folder while working on them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace clconv {

class KernelSource {
public:
    /// The kernels that were embedded when clconv was built.
    [[nodiscard]] static KernelSource embedded();
    /// The .cl files of a folder. Throws InputError if the folder cannot be read or holds none.
    [[nodiscard]] static KernelSource from_folder(const std::filesystem::path& folder);

    /// These kernels and one more file, for tests.
    [[nodiscard]] KernelSource with(const std::string& file, std::string text) const;

    /// The text of `file` with every `#include "other.cl"` replaced by that file's text, as often as it occurs; a file
    /// with the line "#pragma once" only at its first occurrence. (Text inside an #if does not count, because it may be
    /// skipped.) #line directives keep the lines' numbers. Throws InputError with the name of a missing file.
    [[nodiscard]] std::string expanded(const std::string& file) const;

    /// The files' names, sorted.
    [[nodiscard]] std::vector<std::string> files() const;

    /// Sixteen hexadecimal digits that change when any of the texts does.
    [[nodiscard]] std::string fingerprint() const;

private:
    explicit KernelSource(std::map<std::string, std::string> files) : files_(std::move(files)) {}
    std::map<std::string, std::string> files_;
};

}  // namespace clconv
