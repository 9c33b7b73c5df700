// SPDX-License-Identifier: Apache-2.0
#include "files/shard.h"

#include "base/errors.h"
#include "files/temporary_folder.h"

#include <gmock/gmock.h>

#include <map>

namespace clconv {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Shard parsed(const std::string& text, const std::map<std::string, std::string>& variables = {})
{
    return parse_shard(text, [&](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
}

std::string refusal(const std::string& text, const std::map<std::string, std::string>& variables = {})
{
    return message_of<InvalidProblem>([&] { (void)parsed(text, variables); });
}

std::vector<std::size_t> indices(std::size_t items, const Shard& shard)
{
    std::vector<Item> all(items);
    for (std::size_t i = 0; i < items; ++i) all[i].info.index = i;
    std::vector<std::size_t> found;
    for (const Item& item : items_of_shard(all, shard)) found.push_back(item.info.index);
    return found;
}

TEST(Shard, TakesEveryNthItemFromItsNumberOn)
{
    EXPECT_THAT(indices(10, {0, 3}), ElementsAre(0, 3, 6, 9));
    EXPECT_THAT(indices(10, {2, 3}), ElementsAre(2, 5, 8));
    EXPECT_THAT(indices(10, {0, 1}), testing::SizeIs(10));
    EXPECT_THAT(indices(2, {4, 5}), ElementsAre()) << "more shards than items";
}

TEST(Shard, AllShardsTogetherTakeEachItemOnce)
{
    for (const std::size_t count : {1U, 2U, 7U, 30U}) {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < count; ++i)
            for (const std::size_t index : indices(23, {i, count})) all.push_back(index);
        std::ranges::sort(all);
        ASSERT_EQ(all.size(), 23U);
        for (std::size_t i = 0; i < 23; ++i) EXPECT_EQ(all[i], i);
    }
}

TEST(Shard, IsANumberOfANumber) { EXPECT_EQ(parsed("3/8"), (Shard{3, 8})); }

TEST(Shard, RefusesWhatIsNoShard)
{
    for (const char* text : {"", "3", "/", "3/", "/8", "8/8", "9/8", "0/0", "-1/8", "a/8", "1/b", "1.5/8", "1/2/3",
                             "sge", "env:", "env:X", "env:/3", "99999999999999999999999/8"})
        EXPECT_THROW((void)parsed(text), InvalidProblem) << text;
    EXPECT_THAT(refusal("8/8"), AllOf(HasSubstr("--shard 8/8"), HasSubstr("from 0")));
}

TEST(Shard, ComesFromVariablesOfAnyName)
{
    EXPECT_EQ(parsed("env:JOB_COMPLETION_INDEX/16", {{"JOB_COMPLETION_INDEX", "5"}}), (Shard{5, 16}));
    EXPECT_EQ(parsed("env:RANK/WORLD_SIZE", {{"RANK", "1"}, {"WORLD_SIZE", "4"}}), (Shard{1, 4}));
    EXPECT_THAT(refusal("env:RANK/4"), HasSubstr("RANK"));
    EXPECT_THAT(refusal("env:RANK/4", {{"RANK", "one"}}), AllOf(HasSubstr("RANK"), HasSubstr("\"one\"")));
    EXPECT_THAT(refusal("env:RANK/SIZE", {{"RANK", "1"}}), HasSubstr("SIZE"));
    EXPECT_THAT(refusal("env:RANK/4", {{"RANK", "4"}}), HasSubstr("no shard 4 of 4"));
}

/// What Slurm 22.05 sets for task `id` of --array=`first`-`last`:`step`.
std::map<std::string, std::string> array(int id, int first, int last, int step, int count)
{
    return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
            {"SLURM_ARRAY_TASK_MIN", std::to_string(first)},
            {"SLURM_ARRAY_TASK_MAX", std::to_string(last)},
            {"SLURM_ARRAY_TASK_STEP", std::to_string(step)},
            {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)},
            {"SLURM_PROCID", "0"},
            {"SLURM_NTASKS", "1"}};
}

TEST(ShardOfSlurm, IsTheTaskOfAnArrayCountedFromItsFirstInItsSteps)
{
    EXPECT_EQ(parsed("slurm", array(0, 0, 9, 1, 10)), (Shard{0, 10}));
    EXPECT_EQ(parsed("slurm", array(10, 1, 10, 1, 10)), (Shard{9, 10}));
    EXPECT_EQ(parsed("slurm", array(15, 5, 20, 5, 4)), (Shard{2, 4}));
}

TEST(ShardOfSlurm, RefusesAnArrayWithoutAStep)
{
    // --array=1,2,7: the tasks 1, 2 and 7 would be the shards 0, 1 and 6 of 3.
    EXPECT_THAT(refusal("slurm", array(7, 1, 7, 1, 3)), AllOf(HasSubstr("task 7"), HasSubstr("not a regular array")));
    EXPECT_THAT(refusal("slurm", array(1, 1, 7, 1, 3)), HasSubstr("not a regular array"));
    EXPECT_THAT(refusal("slurm", array(3, 0, 4, 2, 3)), AllOf(HasSubstr("task 3"), HasSubstr("steps of 2")));
}

TEST(ShardOfSlurm, IsTheProcessThatSrunStartedWhereThereIsNoArray)
{
    EXPECT_EQ(parsed("slurm", {{"SLURM_PROCID", "2"}, {"SLURM_NTASKS", "4"}}), (Shard{2, 4}));
    EXPECT_THAT(refusal("slurm", {{"SLURM_PROCID", "2"}}), HasSubstr("SLURM_NTASKS"));
}

TEST(ShardOfSlurm, IsTheProcessWithinTheTaskWhereSrunStartedSeveralInAnArray)
{
    auto variables = array(2, 0, 2, 1, 3);
    variables["SLURM_PROCID"] = "3";
    variables["SLURM_STEP_NUM_TASKS"] = variables["SLURM_NTASKS"] = "4";
    EXPECT_EQ(parsed("slurm", variables), (Shard{11, 12}));
}

TEST(ShardOfSlurm, NamesTheVariablesThatAreMissing)
{
    EXPECT_THAT(refusal("slurm"), AllOf(HasSubstr("SLURM_ARRAY_TASK_ID"), HasSubstr("SLURM_PROCID")));
    EXPECT_THAT(refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "1"}}), HasSubstr("SLURM_ARRAY_TASK_COUNT"));
}

TEST(Shard, NumbersBeyond31BitsAreNone)
{
    EXPECT_EQ(parsed("2147483646/2147483647", {}), (Shard{2147483646, 2147483647}));
    EXPECT_THAT(refusal("0/2147483648"), HasSubstr("is not a shard"));
    EXPECT_THAT(refusal("0/18446744073709551615"), HasSubstr("is not a shard"));
}

}  // namespace
}  // namespace clconv
