// SPDX-License-Identifier: Apache-2.0
#include "image_options/report_file.h"

#include "base/errors.h"
#include "base/special_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace clconv {

std::string report_text(const std::string& file)
{
    std::error_code failure;
    if (const auto type = std::filesystem::status(file, failure).type();
        type == std::filesystem::file_type::character || type == std::filesystem::file_type::block)
        throw InputError(fmt::format("{}: is a device, which may never end; give a report", file));
    if (is_folder(file)) throw InputError(fmt::format("{}: is a folder; give a report in it", file));
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) throw InputError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
    return text.str();
}

}  // namespace clconv
