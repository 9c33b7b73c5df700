// SPDX-License-Identifier: Apache-2.0
#include "image_commands/signals.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace clconv {

namespace {

// A signal handler can reach nothing but a global.
std::atomic<std::atomic<int>*> received_signal = nullptr;
std::atomic<bool> tells_of_signals = true;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free,
              "a signal handler must not lock");

constexpr int kStopping[] = {SIGINT, SIGTERM, SIGHUP};

void set_handler(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal)
{
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN;
}

/// Keeps errno, at which the interrupted code may not have looked yet.
void on_signal(int signal)
{
    const int kept = errno;
    *received_signal.load() = signal;
    for (const int each : kStopping)
        if (!is_ignored(each)) set_handler(each, SIG_DFL);
    // A terminal that closes sends its own signal, and its shell another one.
    set_handler(SIGHUP, SIG_IGN);
    constexpr std::string_view text = "\nstopping after the images in flight; signal again to stop at once\n";
    if (tells_of_signals) {
        [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
    }
    errno = kept;
}

}  // namespace

StopSignals::StopSignals(std::atomic<int>& received, bool tells)
{
    received_signal = &received;
    tells_of_signals = tells;
    for (const int signal : kStopping)
        if (!is_ignored(signal)) set_handler(signal, on_signal);
    set_handler(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals()
{
    for (const int signal : kStopping)
        if (!is_ignored(signal)) set_handler(signal, SIG_DFL);
    set_handler(SIGPIPE, SIG_DFL);
}

void StopSignals::request(int signal)
{
    int none = 0;
    received_signal.load()->compare_exchange_strong(none, signal);
}

}  // namespace clconv
