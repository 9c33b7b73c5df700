// The work of a compiler process, which is the other end of opencl/compilers.h.
#pragma once

#include <string>

namespace clconv {

/// Answers requests (opencl/compile_messages.h) from `socket` with programs built for the device "P:D". Ends when the
/// other end closes, or sends no request for some seconds. The first request opens the device. Throws InputError if
/// `socket` is not a socket.
void serve_compilers(const std::string& device, int socket);

}  // namespace clconv
