// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "opencl/handles.h"
#include "opencl/program.h"
#include "opencl/program_file.h"
#include "support/test_device.h"
#include "support/times_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

namespace clconv::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ProgramsOfADevice : public testing::Test {
protected:
    ProgramsOfADevice()
    {
        std::string name = (fs::temp_directory_path() / "clconv-programs-XXXXXX").string();
        root_ = mkdtemp(name.data());
        const char* const set = std::getenv("POCL_KERNEL_CACHE");
        before_ = set ? std::optional<std::string>(set) : std::nullopt;
        ::setenv("POCL_KERNEL_CACHE", "0", 1);  // else PoCL keeps programs itself
    }
    ~ProgramsOfADevice() override
    {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
        if (before_)
            ::setenv("POCL_KERNEL_CACHE", before_->c_str(), 1);
        else
            ::unsetenv("POCL_KERNEL_CACHE");
    }

    /// The notes of one start of the tool.
    std::vector<std::string> start(const std::string& factor = "2", DeviceInfo info = test_device_info())
    {
        std::vector<std::string> notes;
        Device device(info, {CacheFolder(root_), [&](const std::string& note) { notes.push_back(note); }});
        EXPECT_EQ(built_result(device, factor), std::stof(factor) * 21);
        device.keep_programs(std::chrono::hours(1));
        return notes;
    }

    static float built_result(Device& device, const std::string& factor)
    {
        const KernelSource kernels = KernelSource::embedded().with("times.cl", kTimes);
        return result(device,
                      build(device, kernels, {"times.cl", "times.cl", "#define FACTOR " + factor + "\n", ""}).program);
    }

    [[nodiscard]] std::vector<fs::path> files() const
    {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(root_)) found.push_back(entry.path());
        return found;
    }

    static std::string bytes_of_file(const fs::path& path)
    {
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        return bytes.str();
    }

    fs::path root_;
    std::optional<std::string> before_;
};

TEST_F(ProgramsOfADevice, AreBuiltOnceAndLoadedByLaterStarts)
{
    EXPECT_THAT(start(), ElementsAre(HasSubstr("times.cl: built"), HasSubstr("times.cl: kept")));
    ASSERT_EQ(files().size(), 1u);
    EXPECT_THAT(start(), ElementsAre(HasSubstr("times.cl: from cache")));
    EXPECT_THAT(start("3"), Contains(HasSubstr("times.cl: built")));
    EXPECT_EQ(files().size(), 2u);
}

TEST_F(ProgramsOfADevice, AreOnesOwnWhereADriverChanged)
{
    start();
    DeviceInfo newer = test_device_info();
    newer.driver += ".1";
    EXPECT_THAT(start("2", newer), Contains(HasSubstr("times.cl: built")));
    EXPECT_THAT(start("2", newer), ElementsAre(HasSubstr("times.cl: from cache")));
    EXPECT_THAT(start(), ElementsAre(HasSubstr("times.cl: from cache")));
}

TEST_F(ProgramsOfADevice, AreBuiltAgainWhereTheirFileIsDamaged)
{
    start();
    const fs::path file = files().at(0);
    const std::string good = bytes_of_file(file);
    std::string flipped = good;
    flipped[good.size() - 9] = static_cast<char>(flipped[good.size() - 9] ^ 1);
    for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), flipped, std::string("foreign\n")}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
        EXPECT_THAT(start(), ElementsAre(HasSubstr("damaged or foreign"), HasSubstr("built"), HasSubstr("kept")));
        EXPECT_THAT(start(), ElementsAre(HasSubstr("from cache")));
    }
}

TEST_F(ProgramsOfADevice, AreBuiltWhereTheDriverRefusesTheBinary)
{
    start();
    const std::string good = bytes_of_file(files().at(0));
    // A whole file, of the right identity, with a binary that no driver made.
    std::istringstream head(good);
    std::string word;
    while (head >> word && word != "identity") {
    }
    std::size_t size = 0;
    head >> size;
    const std::string identity = good.substr(good.find('\n') + 1, size);
    std::ofstream(files().at(0), std::ios::binary | std::ios::trunc) << packed_program(identity, "no binary");
    EXPECT_THAT(start(), ElementsAre(HasSubstr("the driver rejects"), HasSubstr("built"), HasSubstr("kept")));
}

TEST_F(ProgramsOfADevice, AreBuiltWhereNothingCanBeKept)
{
    std::ofstream(root_ / "file") << "in the way";
    root_ /= "file";
    for (int i = 0; i < 2; ++i)
        EXPECT_THAT(start(), ElementsAre(HasSubstr("times.cl: built"), HasSubstr("cannot be made")));
    root_ = root_.parent_path();
}

TEST_F(ProgramsOfADevice, AreSharedByAllWhoAskAtOnce)
{
    std::mutex mutex;
    std::vector<std::string> notes;
    Device device(test_device_info(), {{}, [&](const std::string& note) {
                                           const std::lock_guard lock(mutex);
                                           notes.push_back(note);
                                       }});
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&, i] {
                const std::string factor = i % 2 ? "2" : "3";
                EXPECT_EQ(built_result(device, factor), std::stof(factor) * 21);
            });
    }
    EXPECT_THAT(notes, ElementsAre(HasSubstr("built"), HasSubstr("built")));
}

TEST_F(ProgramsOfADevice, AreNotBegunToBeKeptAfterTheBudget)
{
    Device device(test_device_info(), {CacheFolder(root_), {}});
    EXPECT_EQ(built_result(device, "2"), 42);
    device.keep_programs(std::chrono::seconds(-1));
    EXPECT_TRUE(files().empty());
    device.keep_programs(std::chrono::hours(1));
    EXPECT_EQ(files().size(), 1u);
}

TEST_F(ProgramsOfADevice, ThatDoNotBuildFailEveryTimeWithTheCompilersLog)
{
    const KernelSource kernels =
        KernelSource::embedded().with("wrong.cl", "__kernel void wrong() { no_such_thing; }\n");
    Device device(test_device_info(), {CacheFolder(root_), {}});
    for (int i = 0; i < 2; ++i) {
        try {
            (void)build(device, kernels, {"wrong.cl", "wrong.cl", "", ""});
            FAIL() << "it builds";
        } catch (const BuildError& error) {
            EXPECT_THAT(error.what(), HasSubstr("no_such_thing"));
        }
    }
    device.keep_programs(std::chrono::hours(1));
    EXPECT_TRUE(files().empty());
}

}  // namespace
}  // namespace clconv::test
