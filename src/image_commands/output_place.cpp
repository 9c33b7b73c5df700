// SPDX-License-Identifier: Apache-2.0
#include "image_commands/output_place.h"

#include "base/errors.h"
#include "base/extension.h"
#include "codecs/image_file.h"

#include <fmt/format.h>

namespace clconv {

namespace fs = std::filesystem;

OutputPlace output_place(const std::string& output)
{
    const fs::path path(output);
    const std::string extension = extension_of(path);
    std::error_code failure;
    if (!path.has_filename() || !readable_extensions().contains(extension) || fs::is_directory(path, failure))
        return {path, {}};
    if (!writable_extensions().contains(extension))
        throw InvalidProblem(fmt::format(
            "--output {}: is the name of an image in a format that can be read but not written; use another "
            "extension such as .tif, or end a folder's name with /",
            output));
    return {path.has_parent_path() ? path.parent_path() : ".", path};
}

void check_output_options(const OutputPlace& place, const std::string& name, const std::string& format)
{
    if (place.file.empty()) return;
    const std::string file = place.file.string();
    if (!name.empty())
        throw InvalidProblem(fmt::format(
            "--output {}: names a file, and so does --name {}; leave out one of them, or end the folder with "
            "/",
            file, name));
    if (!format.empty() && !is_same_format(extension_of(name_with(format)), extension_of(place.file)))
        throw InvalidProblem(fmt::format(
            "--output {}: its extension is of another format than --format {}; leave out --format", file, format));
}

}  // namespace clconv
