#include "opencl/compile_messages.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace clconv {
namespace {

struct Head {
    std::uint64_t mark = 0x636c636f6e763031;
    std::uint64_t length = 0;  ///< bytes
};

/// Far longer than any program.
constexpr std::uint64_t kLongest = 1u << 30;

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

}  // namespace

bool send_text(int socket, std::string_view text)
{
    Head head;
    head.length = text.size();
    return send_all(socket, reinterpret_cast<const char*>(&head), sizeof head) &&
           send_all(socket, text.data(), text.size());
}

std::optional<std::string> received_text(int socket)
{
    Head head;
    const std::uint64_t mark = head.mark;
    if (!receive_all(socket, reinterpret_cast<char*>(&head), sizeof head)) return {};
    if (head.mark != mark || head.length > kLongest) return {};
    std::string text(head.length, '\0');
    if (!receive_all(socket, text.data(), text.size())) return {};
    return text;
}

}  // namespace clconv
