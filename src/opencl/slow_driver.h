// Says what a driver takes long to compile, while it does: some take minutes, without a word, and the thread that is
// inside the driver can neither be asked nor be stopped.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace clconv {

/// How long a driver may be silent.
inline constexpr std::chrono::seconds kPatience{10};

/// Hears every second, from kPatience on, what is being compiled and for how long. Called on a thread of its own, for
/// each program that is being compiled.
using SlowDriver = std::function<void(const std::string& what, std::chrono::seconds so_far)>;

/// From its construction to its end a driver compiles `what`.
class WhileCompiling {
public:
    /// `heard`: may be empty.
    WhileCompiling(const SlowDriver& heard, const std::string& what);

private:
    std::jthread clock_;  ///< its end asks it to stop, and waits
};

}  // namespace clconv
