// SPDX-License-Identifier: Apache-2.0
#include "opencl/program_file.h"

#include "base/cache_folder.h"
#include "base/fingerprint.h"

#include <fmt/format.h>

namespace clconv {
namespace {

/// Increased when the format of the file changes. Files of another version are not read.
constexpr int kVersion = 1;

/// The sizes come first, so the rest needs no separators.
std::string head(std::string_view identity, std::string_view binary)
{
    return fmt::format("clconv program {}: identity {} binary {} checksum {:016x}\n", kVersion, identity.size(),
                       binary.size(), fingerprint(binary));
}

}  // namespace

std::string identity_text(const ProgramIdentity& identity)
{
    std::string text;
    for (const std::string* part : {&identity.platform, &identity.device, &identity.driver, &identity.version,
                                    &identity.options, &identity.source})
        text += fmt::format("{} {}\n", part->size(), *part);
    return text;
}

std::string program_file_name(std::string_view name, std::string_view identity)
{
    return CacheFolder::own_name(name.substr(0, name.find(' ')), fingerprint(identity));
}

std::string packed_program(std::string_view identity, std::string_view binary)
{
    return fmt::format("{}{}{}", head(identity, binary), identity, binary);
}

std::optional<std::string> unpacked_program(std::string_view identity, std::string_view file)
{
    const std::size_t line = file.find('\n');
    if (line == std::string_view::npos) return {};
    const std::size_t begin = line + 1 + identity.size();
    if (file.size() < begin) return {};
    const std::string_view binary = file.substr(begin);
    // One comparison of the whole head with the head that these bytes should have.
    if (file.substr(0, line + 1) != head(identity, binary)) return {};
    if (file.substr(line + 1, identity.size()) != identity) return {};
    return std::string(binary);
}

}  // namespace clconv
