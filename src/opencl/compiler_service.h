// SPDX-License-Identifier: Apache-2.0
// The work of a compiler process, which is the other end of opencl/compilers.h.
#pragma once

#include "opencl/device.h"

namespace clconv {

/// Answers requests (opencl/compile_messages.h) from `socket` with programs built for `device`. Ends when the other end
/// closes, or sends no request for some seconds. The first request opens the device; if that fails, the answer is the
/// failure. Throws InputError if `socket` is not a socket.
void serve_compilers(const DeviceIdentity& device, int socket);

}  // namespace clconv
