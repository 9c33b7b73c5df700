// The other end of opencl/compilers.h: what a compiler process does.
#pragma once

#include <string>

namespace clconv {

/// Answers requests (opencl/compile_messages.h) that come through `socket` with programs built for the device "P:D",
/// until the other end goes or asks for nothing for some seconds. The device is opened when the first request comes.
/// Throws InputError if `socket` is none.
void serve_compilers(const std::string& device, int socket);

}  // namespace clconv
