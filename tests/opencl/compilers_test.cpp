// SPDX-License-Identifier: Apache-2.0
// Compiler processes that are shell scripts: no compiler, no device.

#include "opencl/compilers.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace clconv::test {
namespace {

namespace fs = std::filesystem;
using testing::Optional;

const DeviceIdentity kDevice{"0:0", "a platform", "a device"};

/// Reads a request of empty texts, and answers "abc": heads of 16 bytes each, mark and length, the low bytes first.
constexpr const char* kAnswerOnce = R"sh(
head -c 32 > /dev/null
printf '10vnoclc\003\0\0\0\0\0\0\0abc' >&0
)sh";
constexpr const char* kAnswer = R"sh(
while [ "$(head -c 32 | wc -c)" = 32 ]; do
    printf '10vnoclc\003\0\0\0\0\0\0\0abc' >&0
done
)sh";
constexpr const char* kAnswerNothingFirst = R"sh(
head -c 32 > /dev/null
printf '10vnoclc\0\0\0\0\0\0\0\0' >&0
)sh";

class CompilersOfScripts : public testing::Test {
protected:
    CompilersOfScripts()
    {
        std::string name = (fs::temp_directory_path() / "clconv-compilers-XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    ~CompilersOfScripts() override
    {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    /// Processes of a script that records its starts.
    [[nodiscard]] CompilerProcesses processes(const std::string& script, std::size_t maximum = 1) const
    {
        const fs::path path = root_ / "compiler";
        std::ofstream(path) << "#!/bin/sh\necho $$ >> '" << (root_ / "started").string() << "'\n" << script;
        fs::permissions(path, fs::perms::owner_all);
        return {path, maximum};
    }

    /// The ids of the processes that were started so far.
    [[nodiscard]] std::vector<pid_t> started() const
    {
        std::ifstream in(root_ / "started");
        return {std::istream_iterator<pid_t>(in), {}};
    }

    fs::path root_;
};

std::ptrdiff_t open_files() { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); }

bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

/// Waits until `pid` has ended, whether or not its exit status was read.
void wait_for_end_of(pid_t pid)
{
    siginfo_t info;
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
}

TEST_F(CompilersOfScripts, GiveWhatAProcessAnswersAndKeepIt)
{
    Compilers compilers(processes(kAnswer), kDevice);
    for (int i = 0; i < 3; ++i) EXPECT_THAT(compilers.compile("", ""), Optional(std::string("abc")));
    EXPECT_EQ(started().size(), 1u);
}

TEST_F(CompilersOfScripts, StartNoMoreProcessesThanTheyMay)
{
    Compilers compilers(processes(kAnswer, 2), kDevice);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&] { EXPECT_THAT(compilers.compile("", ""), Optional(std::string("abc"))); });
    }
    EXPECT_LE(started().size(), 2u);
}

TEST_F(CompilersOfScripts, StartAnotherInPlaceOfOneThatEndedWhileItWasIdle)
{
    Compilers compilers(processes(kAnswerOnce), kDevice);
    for (std::size_t i = 1; i <= 3; ++i) {
        EXPECT_THAT(compilers.compile("", ""), Optional(std::string("abc")));
        ASSERT_EQ(started().size(), i);
        wait_for_end_of(started().back());
    }
}

TEST_F(CompilersOfScripts, GiveNothingWhereAProcessFailsAndStartNoOtherThen)
{
    for (const char* script :
         {"exit 1\n", "head -c 8 > /dev/null; kill -9 $$\n", "echo a line of nonsense >&0; sleep 600\n",
          "printf '10vnoclc\\377\\377\\377\\377\\377\\377\\377\\377' >&0; sleep 600\n",
          "head -c 32 > /dev/null; printf '10vnoclc\\003\\0\\0\\0\\0\\0\\0\\0a' >&0\n"}) {
        SCOPED_TRACE(script);
        fs::remove(root_ / "started");
        Compilers compilers(processes(script), kDevice);
        for (int i = 0; i < 3; ++i) EXPECT_FALSE(compilers.compile("", "").has_value());
        EXPECT_LE(started().size(), 1u);
    }
}

TEST_F(CompilersOfScripts, WarnOnceOfWhatAProcessSaysOfItsFailure)
{
    std::vector<std::string> warnings;
    const auto warn = [&](const std::string& text) { warnings.push_back(text); };
    const char* const script = "printf 'revnoclc\\007\\0\\0\\0\\0\\0\\0\\0no card' >&0; head -c 32 > /dev/null\n";
    Compilers compilers(processes(script), kDevice, warn);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(compilers.compile("", "").has_value());
    EXPECT_THAT(warnings, testing::ElementsAre(testing::EndsWith("not side by side: no card")));
}

TEST_F(CompilersOfScripts, WarnOfAProcessThatEndsWithoutAWordOrDoesNotStart)
{
    std::vector<std::string> warnings;
    const auto warn = [&](const std::string& text) { warnings.push_back(text); };
    EXPECT_FALSE(Compilers(processes("exit 1\n"), kDevice, warn).compile("", "").has_value());
    EXPECT_FALSE(Compilers({root_ / "missing", 2}, kDevice, warn).compile("", "").has_value());
    EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr("ended without an answer"),
                                               testing::HasSubstr("missing does not start: No such file")));
}

TEST_F(CompilersOfScripts, TellAProcessWhichDeviceIsMeant)
{
    Compilers compilers(processes("printf '%s|' \"$@\" > '" + (root_ / "words").string() + "'\n" + kAnswer), kDevice);
    EXPECT_TRUE(compilers.compile("", "").has_value());
    std::ifstream in(root_ / "words");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "0:0|a platform|a device|");
}

TEST_F(CompilersOfScripts, AskOnWhereAProgramDidNotBuild)
{
    Compilers compilers(processes(std::string(kAnswerNothingFirst) + kAnswer), kDevice);
    EXPECT_FALSE(compilers.compile("", "").has_value());
    EXPECT_THAT(compilers.compile("", ""), Optional(std::string("abc")));
    EXPECT_EQ(started().size(), 1u);
}

TEST_F(CompilersOfScripts, GiveNothingWithoutAnExecutable)
{
    Compilers missing({root_ / "missing", 2}, kDevice);
    EXPECT_FALSE(missing.compile("", "").has_value());
    Compilers none({}, kDevice);
    EXPECT_FALSE(none.compile("", "").has_value());
}

TEST_F(CompilersOfScripts, LeaveNeitherProcessesNorFiles)
{
    const auto before = open_files();
    for (const char* script : {kAnswer, kAnswerOnce, "exit 1\n", "echo a line of nonsense >&0; sleep 600\n"}) {
        Compilers compilers(processes(script, 3), kDevice);
        std::vector<std::jthread> threads;
        for (int i = 0; i < 6; ++i) threads.emplace_back([&] { (void)compilers.compile("", ""); });
    }
    EXPECT_EQ(open_files(), before);
    EXPECT_FALSE(has_children());
}

TEST(CompilerProcesses, AreANumberInTheEnvironment)
{
    for (const char* value : {"abc", "-1", "65", "2x", "1e1"}) {
        ::setenv("CLCONV_COMPILE_PROCESSES", value, 1);
        EXPECT_THROW((void)compiler_processes({}), InvalidProblem) << value;
    }
    // There is no clconv-compile beside the tests.
    ::setenv("CLCONV_COMPILE_PROCESSES", "4", 1);
    EXPECT_EQ(compiler_processes({}).maximum, 0u);
    ::setenv("CLCONV_COMPILE_PROCESSES", "", 1);
    EXPECT_EQ(compiler_processes({}).maximum, 0u);
    EXPECT_FALSE(compiler_processes_are_requested());
    ::unsetenv("CLCONV_COMPILE_PROCESSES");
    EXPECT_EQ(compiler_processes({}).maximum, 0u);
}

}  // namespace
}  // namespace clconv::test
