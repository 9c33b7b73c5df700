// A built program as a file: the driver's binary behind a head that says, in full, what it was built from and for.
//
// The head repeats everything that the binary depends on, so that a file is only ever used for what it was made of: a
// hash that two programs share, a file copied from another machine or driver, or half of one, is seen and not used.
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

/// All of an identity in one string, different for different ones.
[[nodiscard]] std::string identity_text(const ProgramIdentity& identity);

/// The name of the file of `identity`, which tells readers the first word of the program's `name`:
/// CacheFolder::own_name().
[[nodiscard]] std::string program_file_name(std::string_view name, std::string_view identity);

/// The file's bytes.
[[nodiscard]] std::string packed_program(std::string_view identity, std::string_view binary);

/// The binary in `file`; nothing if the file is torn, damaged, of another version, or not of this identity.
[[nodiscard]] std::optional<std::string> unpacked_program(std::string_view identity, std::string_view file);

}  // namespace clconv
