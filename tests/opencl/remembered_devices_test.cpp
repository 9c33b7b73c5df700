// SPDX-License-Identifier: Apache-2.0
#include "opencl/remembered_devices.h"

#include "opencl/device_selection.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace clconv::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

DeviceInfo a_device(std::string name)
{
    DeviceInfo device{"1:0", "a platform", std::move(name), "a vendor", "1.2", "OpenCL 3.0", "gpu", 12, 1300, {}};
    device.traits = {1, 2, std::uint64_t{1} << 40, 4, true, false, true, 5, 6};
    return device;
}

class RememberedDevices : public testing::Test {
protected:
    RememberedDevices()
    {
        std::string name = (fs::temp_directory_path() / "clconv-devices-XXXXXX").string();
        root_ = mkdtemp(name.data());
        write_driver("a driver");
    }
    ~RememberedDevices() override
    {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    void write_driver(const char* text) const { std::ofstream(driver()) << text; }
    [[nodiscard]] fs::path driver() const { return root_ / "libdriver.so"; }
    [[nodiscard]] CacheFolder folder() const { return CacheFolder(root_ / "cache"); }
    void remember() const { remember_devices(folder(), {a_device("first"), a_device("second")}, 7, {driver()}); }

private:
    fs::path root_;
};

TEST_F(RememberedDevices, AreWhatWasFound)
{
    remember();
    const std::vector<DeviceInfo> devices = remembered_devices(folder(), 7);
    ASSERT_THAT(devices, SizeIs(2));
    const DeviceInfo& device = devices[1];
    EXPECT_EQ(device.index, "1:0");
    EXPECT_EQ(device.platform, "a platform");
    EXPECT_EQ(device.name, "second");
    EXPECT_EQ(device.driver, "1.2");
    EXPECT_EQ(device.type, "gpu");
    EXPECT_EQ(device.compute_units, 12u);
    EXPECT_EQ(device.traits.local_memory, 1u);
    EXPECT_EQ(device.traits.global_memory, std::uint64_t{1} << 40);
    EXPECT_TRUE(device.traits.is_cpu);
    EXPECT_FALSE(device.traits.is_nvidia);
    EXPECT_TRUE(device.traits.has_double);
    EXPECT_EQ(device.traits.cache, 5u);
    EXPECT_EQ(device.traits.vector_floats, 6);
}

TEST_F(RememberedDevices, AreThoseOfOneStateOfTheMachine)
{
    remember();
    EXPECT_THAT(remembered_devices(folder(), 8), IsEmpty());
    EXPECT_THAT(remembered_devices(folder(), 7), SizeIs(2));
}

TEST_F(RememberedDevices, AreForgottenWhenAFileOfTheDriverIsReplaced)
{
    remember();
    const auto time = fs::last_write_time(driver());
    fs::rename(driver(), driver().string() + ".old");
    write_driver("b driver");  // an update: a new file of the same size, with the time that its package gives it
    fs::last_write_time(driver(), time);
    EXPECT_THAT(remembered_devices(folder(), 7), IsEmpty());
}

TEST_F(RememberedDevices, AreForgottenWhenAFileOfTheDriverIsGone)
{
    remember();
    fs::remove(driver());
    EXPECT_THAT(remembered_devices(folder(), 7), IsEmpty());
}

TEST_F(RememberedDevices, DoNotHideThatThereAreNone)
{
    remember_devices(folder(), {}, 7, {driver()});
    EXPECT_THAT(folder().names(), IsEmpty());
}

TEST_F(RememberedDevices, AreNotReadFromADamagedFile)
{
    remember();
    const std::string name = folder().names().front();
    const std::string whole = folder().read(name).value();
    for (const std::string& text : {std::string(), whole.substr(0, whole.size() / 2), std::string("[]"),
                                    std::string(R"({"version":1,"state":7,"files":{},"devices":[[1]]})")}) {
        ASSERT_TRUE(folder().write(name, text));
        EXPECT_THAT(remembered_devices(folder(), 7), IsEmpty()) << text;
    }
}

TEST(MachineState, DependsOnTheEnvironmentButNotOnTheTerminal)
{
    const std::uint64_t before = machine_state();
    ::setenv("WINDOWID", "another", 1);
    EXPECT_EQ(machine_state(), before);
    ::setenv("A_VARIABLE_OF_SOME_DRIVER", "1", 1);
    EXPECT_NE(machine_state(), before);
    ::unsetenv("A_VARIABLE_OF_SOME_DRIVER");
    EXPECT_EQ(machine_state(), before);
}

TEST(LoadedFiles, AreTheProgramAndItsLibraries)
{
    std::vector<std::string> names;
    for (const fs::path& file : loaded_files()) names.push_back(file.filename());
    EXPECT_THAT(names, Contains("opencl_tests"));
    EXPECT_THAT(names, Contains(StartsWith("libOpenCL.so")));
}

TEST(SelectAmong, PrefersAGpuAndKnowsPartsOfNames)
{
    DeviceInfo cpu = a_device("Some Processor");
    cpu.type = "cpu";
    const std::vector<DeviceInfo> all = {cpu, a_device("Some Card")};
    EXPECT_EQ(select_among(all, "").front().name, "Some Card");
    EXPECT_EQ(select_among(all, "processor").front().name, "Some Processor");
    EXPECT_THAT(select_among(all, "all"), SizeIs(2));
}

}  // namespace
}  // namespace clconv::test
