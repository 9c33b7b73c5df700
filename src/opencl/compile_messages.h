// What clconv and its compiler processes (opencl/compilers.h) say to each other: texts over a socket of one machine.
//
// A request is two texts, the compiler's options and the source; the answer is one, the driver's binary, and empty
// where the program does not build. A text goes as a mark, its length and its bytes. Nothing here throws; what cannot
// be sent or is no text means that the other end is gone or out of its mind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clconv {

/// False if nobody is there to read it.
[[nodiscard]] bool send_text(int socket, std::string_view text);

/// Waits for a text. Nothing at the end of the connection, at the socket's timeout, and where something else comes.
[[nodiscard]] std::optional<std::string> received_text(int socket);

}  // namespace clconv
