// SPDX-License-Identifier: Apache-2.0
// Measured passes as text and in a folder.

#include "plan_records/pass_set.h"

#include "plan_records/pass_store.h"
#include "plan_records/passes_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string with(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(PassSet, ReadsBackAsItWasWritten)
{
    EXPECT_EQ(parse_pass_set(pass_set_text(a_set())), a_set());
    PassSet quoted = a_set();
    quoted.key.device = "a \"GPU\"\n\\";
    EXPECT_EQ(parse_pass_set(pass_set_text(quoted)), quoted);
    EXPECT_EQ(parse_pass_set(pass_set_text({a_set().key, {}})), PassSet({a_set().key, {}}));
    PassSet pixels = a_set();
    pixels.passes.back().pass.channels = 3;
    EXPECT_EQ(parse_pass_set(pass_set_text(pixels)), pixels);
}

TEST(PassSet, HasTheCopyBandwidthIfItIsKnown)
{
    EXPECT_EQ(pass_set_text(a_set()).find("copy_gb_s"), std::string::npos);
    PassSet set = a_set();
    set.copy_gb_s = 2790.5;
    const std::string text = pass_set_text(set);
    EXPECT_EQ(parse_pass_set(text), set);
    for (const char* senseless : {"0", "-1", "1e99", "null", "\"2790\""})
        EXPECT_EQ(parse_pass_set(with(text, "2790.5", senseless)), a_set()) << senseless;
    EXPECT_EQ(merged({a_set()}, set), set);
    EXPECT_EQ(merged({set}, a_set()), set);
}

TEST(PassSet, TornAnywhereOrOfAnotherVersionIsNone)
{
    const std::string text = pass_set_text(a_set());
    for (std::size_t length = 0; length + 2 < text.size(); ++length)
        EXPECT_FALSE(parse_pass_set(text.substr(0, length))) << length;
    EXPECT_FALSE(parse_pass_set(with(text, "\"clconv_passes\": 1", "\"clconv_passes\": 2")));
    for (const char* foreign : {"", "{}", "[]", "null", "{\"clconv_passes\": 1}",
                                "{\"clconv_passes\": 1, \"passes\": []}", "{\"clconv_passes\": 1, \"passes\": 3}"})
        EXPECT_FALSE(parse_pass_set(foreign)) << foreign;
}

TEST(PassSet, APassThatMakesNoSenseIsLeftOut)
{
    const std::string text = pass_set_text(a_set());
    const std::vector<PassRecord> rest = {a_set().passes[1], a_set().passes[2]};
    for (const auto& [from, to] : {std::pair("\"rows\"", "\"tiles\""),
                                   {"\"rows\"", "5"},
                                   {"[16,8]", "[]"},
                                   {"[16,8]", "[17,8]"},
                                   {"[16,8]", "[64,8]"},
                                   {"[16,8]", "[32,32,32,32,32]"},
                                   {"[16,8]", "[1e300,8]"},
                                   {"\"lanes\":1", "\"lanes\":9"},
                                   {"\"items\":16", "\"items\":0"},
                                   {"\"items\":16", "\"items\":4096"},
                                   {"\"items\":16", "\"items\":-1"},
                                   {"\"items\":16", "\"item\":16"},
                                   {"\"filled\":100", "\"filled\":1e9"},
                                   {"\"samples\":\"u8\"", "\"samples\":\"u7\""},
                                   {"[[10.0,1.5],[1000.0,75.0]]", "[]"},
                                   {"[[10.0,1.5],[1000.0,75.0]]", "[[10,1.5],[10,75]]"},
                                   {"[[10.0,1.5],[1000.0,75.0]]", "[[10,0]]"},
                                   {"[[10.0,1.5],[1000.0,75.0]]", "[[10,1e99]]"},
                                   {"[[10.0,1.5],[1000.0,75.0]]", "[[10]]"}}) {
        const auto set = parse_pass_set(with(text, from, to));
        ASSERT_TRUE(set) << to;
        EXPECT_EQ(set->passes, rest) << to;
    }
}

TEST(PassSet, APassThatIsMeasuredAgainReplacesWhatWasKnown)
{
    PassSet set = a_set();
    add_pass(set, a_pass(PassKind::columns, {9, 4, 4}, 5));
    add_pass(set, a_pass(PassKind::columns, {4, 9, 4}, 7));
    ASSERT_EQ(set.passes.size(), 4U);
    EXPECT_EQ(set.passes[1], a_pass(PassKind::columns, {9, 4, 4}, 5));
}

TEST(PassSet, TakesTimesOfFewerAndOfMoreLinesThanItHas)
{
    PassSet set = a_set();
    const LinePass rows = set.passes.front().pass;
    ASSERT_THAT(set.passes.front().points, ElementsAre(PassPoint{10, 1.5}, PassPoint{1000, 75}));
    add_points(set, rows, 100, {{100, 9}, {900, 80}, {1100, 90}});
    EXPECT_EQ(set, a_set());
    add_points(set, rows, 100, {{5, 1}, {20, 2}, {2000, 120}, {3000, 160}});
    EXPECT_THAT(set.passes.front().points, ElementsAre(PassPoint{5, 1}, PassPoint{10, 1.5}, PassPoint{1000, 75},
                                                       PassPoint{2000, 120}, PassPoint{3000, 160}));
    add_points(set, rows, 90, {{50, 3}, {100, 7}});
    EXPECT_EQ(set.passes.front(), (PassRecord{rows, 90, {{50, 3}, {100, 7}}})) << "of lines that are filled otherwise";
    add_points(set, rows, 90, std::vector<PassPoint>(20, {5000, 9}));
    EXPECT_EQ(set.passes.front().points.size(), 2U) << "more than a file of them may have";
}

TEST(PassSet, IsAddedToWhatIsKnownOfTheSameCircumstances)
{
    PassSet more{a_set().key, {a_pass(PassKind::rows, {16, 8}, 9), a_pass(PassKind::rows, {8, 8}, 9)}};
    const PassSet both = merged({a_set()}, more);
    EXPECT_EQ(both.passes.size(), 4U);
    EXPECT_EQ(both.passes.front(), more.passes.front());
    more.key.driver = "2.0";
    EXPECT_EQ(merged({a_set()}, more), more);
}

TEST(PassSet, AnExportHoldsRecordsAndPasses)
{
    const std::vector<Record> records = {a_record(kPhoto), a_record(kVideo)};
    PassSet other = a_set();
    other.key.device = "Another GPU";
    for (const auto& known : {records, std::vector<Record>{}}) {
        const std::string text = export_text(known, {a_set(), other});
        EXPECT_EQ(parse_records(text), known);
        EXPECT_THAT(parse_exported_passes(text), ElementsAre(a_set(), other));
    }
    EXPECT_EQ(export_text(records, {}), records_text(records));
    EXPECT_THAT(parse_exported_passes(records_text(records)), IsEmpty());
    EXPECT_THAT(parse_exported_passes("{\"passes\": [1, {}]}"), IsEmpty());
}

class PassesOfAFolder : public InARecordFolder {
protected:
    [[nodiscard]] PassStore store() const { return PassStore(folder_); }
};

TEST_F(PassesOfAFolder, AreOneSetForADeviceAndItsKernels)
{
    PassSet newer = a_set(), other = a_set();
    newer.key.driver = "2.0";
    other.key.compute_units = 7;
    EXPECT_TRUE(store().keep(a_set()));
    EXPECT_TRUE(store().keep(other));
    EXPECT_EQ(store().of_device(kDevice, kKernels), a_set());
    EXPECT_TRUE(store().keep(newer));
    EXPECT_EQ(store().of_device(kDevice, kKernels), newer);
    EXPECT_THAT(store().all(), UnorderedElementsAre(newer, other));
    EXPECT_TRUE(store().forget(newer.key));
    EXPECT_FALSE(store().forget(newer.key));
    EXPECT_FALSE(store().of_device(kDevice, kKernels));
}

TEST_F(PassesOfAFolder, AreKeptForEachVersionOfTheKernels)
{
    PassSet of_copy = a_set();
    of_copy.key.kernels = "of --kernel-dir";
    EXPECT_TRUE(store().add(a_set()));
    EXPECT_TRUE(store().add(of_copy));
    EXPECT_EQ(store().of_device(kDevice, kKernels), a_set());
    EXPECT_EQ(store().of_device(kDevice, of_copy.key.kernels), of_copy);
    EXPECT_THAT(store().of_device(kDevice), UnorderedElementsAre(a_set(), of_copy));
    EXPECT_TRUE(store().forget(of_copy.key));
    EXPECT_THAT(store().all(), ElementsAre(a_set()));
}

TEST_F(PassesOfAFolder, AreThoseOfAllProcessesThatMeasureADevice)
{
    const PassSet rows{a_set().key, {a_pass(PassKind::rows, {16, 8}, 9)}};
    const PassSet columns{a_set().key, {a_pass(PassKind::columns, {8, 8}, 9)}};
    EXPECT_TRUE(store().add(rows));
    EXPECT_TRUE(store().add(columns));  // by a process that began when there was none
    EXPECT_EQ(store().of_device(kDevice, kKernels), merged({rows}, columns));
    PassSet newer = columns;
    newer.key.driver = "2.0";
    EXPECT_TRUE(store().add(newer));
    EXPECT_EQ(store().of_device(kDevice, kKernels), newer);
}

TEST_F(PassesOfAFolder, AreLeftOutIfTornOrOfAnotherDevice)
{
    ASSERT_TRUE(store().keep(a_set()));
    const auto file = std::filesystem::directory_iterator(store().folder().path())->path();
    std::filesystem::copy(file, file.parent_path() / "0000.json");
    EXPECT_THAT(store().all(), ElementsAre(a_set()));
    PassSet foreign = a_set();
    foreign.key.device = "Another GPU";
    std::ofstream(file) << pass_set_text(foreign);
    EXPECT_FALSE(store().of_device(kDevice, kKernels));
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_FALSE(store().of_device(kDevice, kKernels));
    EXPECT_THAT(PassStore{CacheFolder()}.all(), IsEmpty());
    EXPECT_FALSE(PassStore{CacheFolder()}.keep(a_set()));
}

}  // namespace
}  // namespace clconv::test
