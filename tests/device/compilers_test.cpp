// SPDX-License-Identifier: Apache-2.0
// The real compiler process on a real device.

#include "opencl/compilers.h"

#include "base/errors.h"
#include "engine/build_ahead.h"
#include "opencl/binary.h"
#include "opencl/handles.h"
#include "opencl/program.h"
#include "support/test_device.h"
#include "support/times_kernel.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CompilerProcesses two_processes() { return {CLCONV_COMPILE, 2}; }

DeviceIdentity identity_of(const DeviceInfo& info) { return {info.index, info.platform, info.name}; }

TEST(CompilersOfADevice, GiveBinariesThatTheDeviceRuns)
{
    const auto device = test_device();
    Compilers compilers(two_processes(), identity_of(device->info()));
    for (const std::string factor : {"2", "3"}) {
        const auto binary = compilers.compile("-w -DFACTOR=" + factor, kTimes);
        ASSERT_TRUE(binary.has_value());
        const cl::Program program = program_of(*binary, device->handles().context, device->handles().device, "-w");
        EXPECT_EQ(result(*device, program), std::stof(factor) * 21);
    }
}

TEST(CompilersOfADevice, GiveNothingForWhatDoesNotBuildAndGoOn)
{
    Compilers compilers(two_processes(), identity_of(test_device()->info()));
    EXPECT_FALSE(compilers.compile("-w", "__kernel void wrong() { no_such_thing; }\n").has_value());
    EXPECT_FALSE(compilers.compile("--no-such-option", kTimes).has_value());
    EXPECT_TRUE(compilers.compile("-w -DFACTOR=2", kTimes).has_value());
}

TEST(CompilersOfADevice, SayThatADeviceIsNotThere)
{
    std::vector<std::string> warnings;
    DeviceIdentity other = identity_of(test_device()->info());
    other.name = "another device";
    Compilers compilers(two_processes(), other, [&](const std::string& text) { warnings.push_back(text); });
    EXPECT_FALSE(compilers.compile("-w -DFACTOR=2", kTimes).has_value());
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("finds no device another device of " + other.platform)));
}

TEST(CompilersOfADevice, FindItByItsNameWhereItsNumberIsAnother)
{
    DeviceIdentity renumbered = identity_of(test_device()->info());
    renumbered.index = "99:0";
    Compilers compilers(two_processes(), renumbered);
    EXPECT_TRUE(compilers.compile("-w -DFACTOR=2", kTimes).has_value());
}

TEST(BuildAhead, PlansEachProblemOnce)
{
    const auto device = std::make_shared<Device>(test_device_info(), ProgramCache{{}, {}, two_processes()});
    BuildAhead ahead(device, KernelSource::embedded());
    ASSERT_TRUE(ahead.helps());
    Problem problem;
    problem.image = {40, 30};
    problem.psf = {3, 3};
    problem.origin = {1, 1};
    int plans = 0;
    const auto expect = [&] {
        ahead.expect(problem, [&] {
            ++plans;
            return recipes_of(make_plan(problem, device->info().traits), device->info().traits);
        });
    };
    expect();
    expect();
    EXPECT_EQ(plans, 1);
    problem.image.width = 41;
    expect();
    EXPECT_EQ(plans, 2);
}

/// Six programs requested at once.
struct RequestedAtOnce {
    std::vector<std::string> notes;
    std::vector<float> results;       ///< by thread
    std::vector<std::string> errors;  ///< by thread; empty: none
};

RequestedAtOnce requested_at_once(const std::string& text, std::optional<CompilerProcesses> compilers)
{
    constexpr int count = 6;
    RequestedAtOnce requested{{}, std::vector<float>(count), std::vector<std::string>(count)};
    std::mutex mutex;
    const auto note = [&](const std::string& line) {
        const std::lock_guard lock(mutex);
        requested.notes.push_back(line);
    };
    Device device(test_device_info(), {{}, note, std::move(compilers)});
    const KernelSource kernels = KernelSource::embedded().with("times.cl", text);
    std::latch all(count);
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
            all.arrive_and_wait();
            try {
                const auto program =
                    build(device, kernels, {"times.cl", "times.cl", fmt::format("#define FACTOR {}\n", i), ""}).program;
                requested.results[i] = result(device, program);
            } catch (const BuildError& error) {
                requested.errors[i] = error.what();
            }
        });
    threads.clear();
    return requested;
}

TEST(CompilersOfADevice, BuildWhatIsRequestedWhileAnotherProgramIsBuilt)
{
    const KernelSource kernels = KernelSource::embedded().with("times.cl", kTimes);
    std::unique_ptr<Device> device;
    const auto times = [&](int factor) {
        return result(
            *device,
            build(*device, kernels, {"times.cl", "times.cl", fmt::format("#define FACTOR {}\n", factor), ""}).program);
    };
    std::vector<std::string> notes;
    const auto note = [&](const std::string& line) {
        notes.push_back(line);
        // The first program is not handed out yet.
        if (notes.size() == 1) std::jthread([&] { EXPECT_EQ(times(3), 63); });
    };
    device = std::make_unique<Device>(test_device_info(), ProgramCache{{}, note, two_processes()});
    EXPECT_EQ(times(2), 42);
    EXPECT_THAT(notes, ElementsAre(HasSubstr("times.cl: built, "), HasSubstr("times.cl: built by a compiler process")));
}

TEST(CompilersOfADevice, LeaveTheCompilersLogAsItIs)
{
    const std::string wrong = "__kernel void times() { int a = FACTOR; no_such_thing; }\n";
    const RequestedAtOnce elsewhere = requested_at_once(wrong, two_processes());
    const RequestedAtOnce here = requested_at_once(wrong, CompilerProcesses{});
    for (int i = 0; i < 6; ++i) {
        EXPECT_THAT(here.errors[i], HasSubstr("no_such_thing"));
        EXPECT_EQ(elsewhere.errors[i], here.errors[i]);
    }
}

TEST(CompilersOfADevice, AreDoneWithoutWhereTheyFail)
{
    for (const CompilerProcesses& broken : {CompilerProcesses{"/bin/false", 2}, CompilerProcesses{"/bin/echo", 2},
                                            CompilerProcesses{"/dev/null/missing", 2}}) {
        const RequestedAtOnce requested = requested_at_once(kTimes, broken);
        EXPECT_THAT(requested.notes, testing::Each(HasSubstr("times.cl: built, ")));
        for (int i = 0; i < 6; ++i) EXPECT_EQ(requested.results[i], static_cast<float>(21 * i));
    }
}

TEST(CompilersOfADevice, CountAsBuildsSideBySide)
{
    EXPECT_EQ(Device(test_device_info(), {{}, {}, two_processes()}).parallel_builds(), 3u);
    EXPECT_EQ(Device(test_device_info(), {{}, {}, CompilerProcesses{}}).parallel_builds(), 1u);
}

}  // namespace
}  // namespace clconv::test
