// SPDX-License-Identifier: Apache-2.0
#include "opencl/compile_messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace clconv {
namespace {

constexpr std::uint64_t kText = 0x636c636f6e763031;
constexpr std::uint64_t kFailure = 0x636c636f6e766572;

struct Head {
    std::uint64_t mark = kText;
    std::uint64_t length = 0;  ///< bytes
};

/// A limit far above the length of any program.
constexpr std::uint64_t kMaxLength = 1u << 30;

bool send_all(int socket, const char* bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t sent = ::send(socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool receive_all(int socket, char* bytes, std::size_t size)
{
    while (size > 0) {
        const ssize_t received = ::recv(socket, bytes, size, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        bytes += received;
        size -= static_cast<std::size_t>(received);
    }
    return true;
}

bool send_marked(int socket, std::uint64_t mark, std::string_view text)
{
    const Head head{mark, text.size()};
    return send_all(socket, reinterpret_cast<const char*>(&head), sizeof head) &&
           send_all(socket, text.data(), text.size());
}

struct Marked {
    std::uint64_t mark = 0;
    std::string text;
};

std::optional<Marked> received(int socket)
{
    Head head;
    if (!receive_all(socket, reinterpret_cast<char*>(&head), sizeof head)) return {};
    if ((head.mark != kText && head.mark != kFailure) || head.length > kMaxLength) return {};
    Marked marked{head.mark, std::string(head.length, '\0')};
    if (!receive_all(socket, marked.text.data(), marked.text.size())) return {};
    return marked;
}

}  // namespace

bool send_text(int socket, std::string_view text) { return send_marked(socket, kText, text); }

bool send_failure(int socket, std::string_view why) { return send_marked(socket, kFailure, why); }

std::optional<std::string> received_text(int socket)
{
    std::optional<Marked> marked = received(socket);
    if (!marked || marked->mark != kText) return {};
    return std::move(marked->text);
}

CompilerAnswer received_answer(int socket)
{
    std::optional<Marked> marked = received(socket);
    if (!marked) return {{}, "a compiler process ended without an answer"};
    if (marked->mark == kFailure) return {{}, std::move(marked->text)};
    return {std::move(marked->text), {}};
}

}  // namespace clconv
