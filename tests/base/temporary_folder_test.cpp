// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_folder.h"

#include "base/child_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

namespace clconv {
namespace {

namespace fs = std::filesystem;

bool goes(const fs::path& folder)
{
    for (int i = 0; i < 10'000 && fs::exists(folder); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return !fs::exists(folder);
}

TEST(TemporaryFolder, GoesWithItsObject)
{
    fs::path path;
    {
        const TemporaryFolder folder("clconv-test");
        path = folder.path();
        std::ofstream(path / "file") << "text";
        EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, GoesWhenItsProcessIsKilled)
{
    std::string path;
    ChildProcess child([](int pipe) {
        const TemporaryFolder folder("clconv-test");
        std::ofstream(folder.path() / "file") << "text";
        write_all(pipe, folder.path().string() + "\n");
        return std::raise(SIGKILL);
    });
    while (!path.ends_with("\n") && child.read(path, 1000)) continue;
    ASSERT_TRUE(path.ends_with("\n"));
    child.wait();
    path.pop_back();
    EXPECT_TRUE(goes(path)) << path;
}

}  // namespace
}  // namespace clconv
