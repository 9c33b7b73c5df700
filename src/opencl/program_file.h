// SPDX-License-Identifier: Apache-2.0
// A built program as a file: the driver's binary behind a head that says in full what it was built from, and for which
// device.
//
// The head repeats everything that the binary depends on. So a file is never used by mistake: not if two programs have
// the same hash, not if it was copied from another machine or driver, and not if it is torn.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// Everything that a binary depends on.
struct ProgramIdentity {
    std::string platform;
    std::string device;
    std::string driver;
    std::string version;  ///< of OpenCL, as the device words it
    std::string options;  ///< of the compiler
    std::string source;   ///< the text that the compiler reads
};

/// A whole identity as one string. Different identities have different strings.
[[nodiscard]] std::string identity_text(const ProgramIdentity& identity);

/// The name of the file of `identity`. It shows readers the first word of the program's `name`; see
/// CacheFolder::own_name().
[[nodiscard]] std::string program_file_name(std::string_view name, std::string_view identity);

/// The file's bytes.
[[nodiscard]] std::string packed_program(std::string_view identity, std::string_view binary);

/// The binary in `file`; nothing if the file is torn, damaged, of another version, or not of this identity.
[[nodiscard]] std::optional<std::string> unpacked_program(std::string_view identity, std::string_view file);

}  // namespace clconv
