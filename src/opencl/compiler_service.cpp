// SPDX-License-Identifier: Apache-2.0
#include "opencl/compiler_service.h"

#include "base/errors.h"
#include "opencl/binary.h"
#include "opencl/compile_messages.h"
#include "opencl/handles.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <optional>
#include <thread>

namespace clconv {
namespace {

/// The time without requests after which the process ends. It is longer than the tuner measures between two rounds of
/// builds, and short compared with a batch that needs the device's memory.
constexpr timeval kIdle = {.tv_sec = 10, .tv_usec = 0};

class Compiler {
public:
    explicit Compiler(const DeviceIdentity& device) : device_(same_device(device)), context_(device_) {}

    /// Empty if the program does not build. The caller then builds it again and reads the compiler's log.
    [[nodiscard]] std::string binary(const std::string& options, const std::string& source) const
    {
        try {
            cl::Program program(context_, source);
            program.build(device_, options.c_str());
            return binary_of(program);
        } catch (const cl::Error&) {
            return {};
        }
    }

private:
    cl::Device device_;
    cl::Context context_;
};

/// Whether this process is about to end itself.
std::atomic<bool> is_ending = false;

/// Ends this process, and those that its driver has started, when clconv has ended: also in the middle of a build,
/// which may take minutes.
void end_with_clconv(int socket)
{
    std::thread([socket] {
        pollfd ended{socket, POLLRDHUP, 0};
        while (::poll(&ended, 1, -1) < 0 && errno == EINTR) {
        }
        if (!is_ending) ::kill(::getpgrp() == ::getpid() ? 0 : ::getpid(), SIGKILL);
    }).detach();
}

/// The compiler of the device. Nothing if the device cannot be opened; the reason is then sent to `socket`.
std::optional<Compiler> opened(const DeviceIdentity& device, int socket)
{
    try {
        return std::make_optional<Compiler>(device);
    } catch (const cl::Error& error) {
        (void)send_failure(socket,
                           fmt::format("the device {} cannot be opened ({})", device.name, error_name(error.err())));
    } catch (const Error& error) {
        (void)send_failure(socket, error.what());
    }
    return {};
}

}  // namespace

void serve_compilers(const DeviceIdentity& device, int socket)
{
    if (::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &kIdle, sizeof kIdle) != 0)
        throw InputError("standard input is not a socket; clconv starts this program itself");
    end_with_clconv(socket);
    std::optional<Compiler> compiler;
    for (;;) {
        const auto options = received_text(socket);
        const auto source = options ? received_text(socket) : std::nullopt;
        if (!source) {
            // At once, not when the driver has ended: who asks now starts another process instead of waiting for an
            // answer that will not come.
            is_ending = true;
            ::shutdown(socket, SHUT_RDWR);
            return;
        }
        if (!compiler) compiler = opened(device, socket);
        if (!compiler) return;
        if (!send_text(socket, compiler->binary(*options, *source))) return;
    }
}

}  // namespace clconv
