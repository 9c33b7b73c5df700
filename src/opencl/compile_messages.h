// SPDX-License-Identifier: Apache-2.0
// Messages between clconv and its compiler processes (opencl/compilers.h): texts over a local socket.
//
// A request is two texts: the compiler's options and the source. The answer is one text: the driver's binary, empty if
// the program does not build. Instead of an answer, a process that can do nothing for the device sends a failure: why.
// A text is sent as a mark, its length and its bytes. Nothing here throws. If a text cannot be sent, or something else
// arrives, the other end is gone or broken.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// False if nobody reads it.
[[nodiscard]] bool send_text(int socket, std::string_view text);

/// Waits for a text. Returns nothing at the end of the connection, at the socket's timeout, and if something else
/// arrives.
[[nodiscard]] std::optional<std::string> received_text(int socket);

/// False if nobody reads it.
[[nodiscard]] bool send_failure(int socket, std::string_view why);

struct CompilerAnswer {
    std::optional<std::string> binary;  ///< empty if the program does not build; nothing after a failure
    std::string failure;                ///< why there is no binary
};

/// Waits for the answer to a request.
[[nodiscard]] CompilerAnswer received_answer(int socket);

}  // namespace clconv
