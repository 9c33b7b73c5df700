// SPDX-License-Identifier: Apache-2.0
#include "batch/control_groups.h"

#include "base/byte_count.h"
#include "files/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>

namespace clconv {
namespace {

class ControlGroups : public InATemporaryFolder {
protected:
    /// A process in the group that `line` of proc(5) names.
    [[nodiscard]] ControlGroupMemory memory_of(const std::string& line) const
    {
        (void)file("own", line + "\n");
        return control_group_memory({at("groups"), at("own")});
    }

    /// A group of version 2.
    void make_group(const std::string& name, const std::string& limit, const std::string& usage,
                    const std::string& statistics = "") const
    {
        (void)file("groups/" + name + "/memory.max", limit + "\n");
        (void)file("groups/" + name + "/memory.current", usage + "\n");
        (void)file("groups/" + name + "/memory.stat", statistics);
    }
};

TEST_F(ControlGroups, AJobHasWhatItsGroupAndThoseAboveItLeave)
{
    make_group("slurm", "1000", "300");
    make_group("slurm/job_7", "800", "600");
    make_group("slurm/job_7/task_0", "max", "1");
    const ControlGroupMemory memory = memory_of("0::/slurm/job_7/task_0");
    EXPECT_EQ(memory.limit, 800U);
    EXPECT_EQ(memory.available, 200U);
}

TEST_F(ControlGroups, FilesInThePageCacheAreNotUsedMemory)
{
    make_group("", "1000", "990", "anon 90\ninactive_file 600\nactive_file 300\nslab 5\n");
    EXPECT_EQ(memory_of("0::/").available, 910U);
}

TEST_F(ControlGroups, OfTheFirstVersionCountMemoryInAHierarchyOfTheirOwn)
{
    (void)file("groups/memory/job/memory.limit_in_bytes", "1000\n");
    (void)file("groups/memory/job/memory.usage_in_bytes", "700\n");
    (void)file("groups/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 150\ntotal_active_file 50\n");
    const ControlGroupMemory memory = memory_of("7:pids:/other\n4:cpu,memory:/job\n0::/");
    EXPECT_EQ(memory.limit, 1000U);
    EXPECT_EQ(memory.available, 500U);
}

TEST_F(ControlGroups, InAContainerTheHostsPathLeadsNowhereAndTheRootCounts)
{
    make_group("", "1000", "400");
    EXPECT_EQ(memory_of("0::/docker/4f2a").available, 600U);
    EXPECT_EQ(memory_of("0::/../..").available, 600U);
}

TEST_F(ControlGroups, ThatAreMissingOrNotLimitedLimitNothing)
{
    EXPECT_EQ(control_group_memory({at("groups"), at("own")}).available, kNoLimit);
    make_group("", "max", "400");
    EXPECT_EQ(memory_of("0::/").available, kNoLimit);
    EXPECT_EQ(memory_of("no group").limit, kNoLimit);
}

}  // namespace
}  // namespace clconv
