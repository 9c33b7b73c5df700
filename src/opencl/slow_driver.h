// SPDX-License-Identifier: Apache-2.0
// Reports programs that a driver takes long to compile, while it compiles them. Some drivers take minutes without a
// message, and the thread inside the driver can be neither queried nor stopped.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace clconv {

/// How long a driver may be silent.
inline constexpr std::chrono::seconds kPatience{10};

/// Called every second, from kPatience on, with the program that is being compiled and the time so far. Each program
/// has a thread of its own for these calls.
using SlowDriver = std::function<void(const std::string& what, std::chrono::seconds so_far)>;

/// While an object exists, a driver compiles `what`.
class WhileCompiling {
public:
    /// `callback`: may be empty.
    WhileCompiling(const SlowDriver& callback, const std::string& what);

private:
    std::jthread clock_;  ///< its destructor requests its stop, and waits
};

}  // namespace clconv
