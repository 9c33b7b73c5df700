// SPDX-License-Identifier: Apache-2.0
#include "opencl/compilers.h"

#include "base/errors.h"
#include "base/parse_number.h"
#include "opencl/compile_messages.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

namespace clconv {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "CLCONV_COMPILE_PROCESSES";
constexpr std::size_t kMaxProcesses = 64;

std::optional<std::size_t> requested_maximum()
{
    const char* const value = std::getenv(kVariable);
    if (!value || *value == '\0') return {};
    const std::string_view text = value;
    const std::optional<std::size_t> number = parse_number<std::size_t>(text);
    if (!number || *number > kMaxProcesses)
        throw InvalidProblem(fmt::format("{}={} is not a number from 0 to {}", kVariable, text, kMaxProcesses));
    return number;
}

/// A context takes some hundred MiB of the device, and a compiler takes one core.
std::size_t useful_maximum(const DeviceTraits& traits)
{
    if (!traits.is_nvidia) return 0;
    const std::uint64_t cores = std::thread::hardware_concurrency();
    return std::clamp<std::uint64_t>(std::min(cores, traits.global_memory >> 31), 1, 16);
}

fs::path executable_beside_this_one()
{
    std::error_code error;
    fs::path path = fs::read_symlink("/proc/self/exe", error).replace_filename("clconv-compile");
    return !error && ::access(path.c_str(), X_OK) == 0 ? path : fs::path();
}

CompilerProcesses processes_up_to(std::size_t maximum)
{
    CompilerProcesses processes{maximum > 0 ? executable_beside_this_one() : fs::path(), maximum};
    if (processes.executable.empty()) processes.maximum = 0;
    return processes;
}

/// Settings of posix_spawn.
class SpawnSettings {
public:
    explicit SpawnSettings(int standard_input)
    {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, standard_input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, STDERR_FILENO, STDOUT_FILENO);  // everything that a driver prints
        posix_spawnattr_init(&attributes_);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnSettings()
    {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&actions_);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

}  // namespace

CompilerProcesses compiler_processes(const DeviceTraits& traits)
{
    return processes_up_to(requested_maximum().value_or(useful_maximum(traits)));
}

bool compiler_processes_are_requested()
{
    const char* const value = std::getenv(kVariable);
    return value != nullptr && *value != '\0';
}

CompilerProcesses requested_compiler_processes() { return processes_up_to(requested_maximum().value_or(0)); }

/// A running process, in a process group of its own: a stop signal from the terminal reaches only the run, which then
/// decides.
class Compilers::Process {
public:
    /// Throws std::system_error.
    Process(const fs::path& executable, DeviceIdentity device)
    {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            throw std::system_error(errno, std::generic_category());
        socket_ = ends[0];
        std::string name = executable.string();
        char* const words[] = {name.data(), device.index.data(), device.platform.data(), device.name.data(), nullptr};
        const SpawnSettings settings(ends[1]);
        const int error =
            ::posix_spawn(&process_, executable.c_str(), settings.actions(), settings.attributes(), words, environ);
        ::close(ends[1]);
        if (error == 0) return;
        ::close(socket_);
        throw std::system_error(error, std::generic_category());
    }

    /// Kills the process and its children, which have no state worth keeping.
    ~Process()
    {
        ::close(socket_);
        ::kill(-process_, SIGKILL);
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// False if it has ended. Call this only when no answer is pending.
    [[nodiscard]] bool is_there() const
    {
        char byte = 0;
        return ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }

    /// The answer to a request. Reads it even if the request cannot be sent: a process that ended may have said why.
    [[nodiscard]] CompilerAnswer answer(const std::string& options, const std::string& source) const
    {
        if (send_text(socket_, options)) (void)send_text(socket_, source);
        return received_answer(socket_);
    }

private:
    int socket_ = -1;
    pid_t process_ = -1;
};

Compilers::Compilers(CompilerProcesses processes, DeviceIdentity device, std::function<void(const std::string&)> warn)
    : processes_(std::move(processes)), device_(std::move(device)), warn_(std::move(warn))
{
}

Compilers::~Compilers() = default;

std::optional<std::string> Compilers::compile(const std::string& options, const std::string& source)
{
    if (processes_.maximum == 0) return {};
    std::unique_ptr<Process> process = taken();
    if (!process) return {};
    CompilerAnswer answer = process->answer(options, source);
    if (!answer.binary) {
        process.reset();
        give_up(answer.failure);
        return {};
    }
    give_back(std::move(process));
    return answer.binary->empty() ? std::nullopt : std::move(answer.binary);
}

std::unique_ptr<Compilers::Process> Compilers::taken()
{
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return failed_ || busy_ < processes_.maximum; });
        if (failed_) return {};
        ++busy_;
        while (!idle_.empty()) {
            auto process = std::move(idle_.back());
            idle_.pop_back();
            if (process->is_there()) return process;
        }
    }
    try {
        return std::make_unique<Process>(processes_.executable, device_);
    } catch (const std::system_error& error) {
        give_up(fmt::format("{} does not start: {}", processes_.executable.string(), error.code().message()));
        return {};
    }
}

void Compilers::give_back(std::unique_ptr<Process> process)
{
    const std::lock_guard lock(mutex_);
    --busy_;
    idle_.push_back(std::move(process));
    changed_.notify_all();
}

void Compilers::give_up(const std::string& why)
{
    bool is_first = false;
    {
        const std::lock_guard lock(mutex_);
        --busy_;
        is_first = !std::exchange(failed_, true);
    }
    changed_.notify_all();
    if (is_first && warn_) warn_(fmt::format("programs are built one after the other, not side by side: {}", why));
}

}  // namespace clconv
