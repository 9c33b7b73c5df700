// SPDX-License-Identifier: Apache-2.0
// Records as text, and records in a folder.

#include "plan_records/record.h"

#include "plan_records/records_tools.h"
#include "plan_records/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace clconv::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST(Record, ReadsBackAsItWasWritten)
{
    Record record = a_record(kPhoto);
    record.key.forced = {"residence=global"};
    EXPECT_EQ(parse_record(record_text(record)), record);
}

TEST(Record, OfAnotherVersionIsNone)
{
    std::string text = record_text(a_record(kPhoto));
    text.replace(text.find("\"clconv_tuning\": 1"), 18, "\"clconv_tuning\": 2");
    EXPECT_FALSE(parse_record(text));
}

TEST(Record, TornAnywhereIsNone)
{
    const std::string text = record_text(a_record(kPhoto));
    for (std::size_t length = 0; length + 2 < text.size(); ++length)
        EXPECT_FALSE(parse_record(text.substr(0, length))) << length;
}

TEST(Record, ForeignTextIsNone)
{
    for (const char* text : {"", "{}", "[]", "null", "5", "\x7f\x45LF", "{\"clconv_tuning\": 1}",
                             "{\"clconv_tuning\": 1, \"platform\": 5}"})
        EXPECT_FALSE(parse_record(text)) << text;
}

TEST(Records, ExportReadsBackWithoutEntriesThatAreNone)
{
    const std::vector<Record> records = {a_record(kPhoto), a_record(kVideo)};
    EXPECT_EQ(parse_records(records_text(records)), records);
    std::string text = records_text(records);
    text.replace(text.find("\"driver\""), 8, "\"ambulance\"");
    EXPECT_THAT(*parse_records(text), ElementsAre(records[1]));
    EXPECT_FALSE(parse_records("{}"));
    EXPECT_FALSE(parse_records(record_text(records[0])));
}

class Store : public InARecordFolder {
protected:
    [[nodiscard]] RecordStore store() const { return RecordStore(folder_); }
};

TEST_F(Store, KeepsARecordAKey)
{
    Record first = a_record(kPhoto);
    EXPECT_TRUE(store().keep(first));
    EXPECT_TRUE(store().keep(a_record(kVideo)));
    first.ms = 0.5;  // measured again
    EXPECT_TRUE(store().keep(first));
    EXPECT_THAT(store().all(), UnorderedElementsAre(first, a_record(kVideo)));
}

TEST_F(Store, EveryPartOfTheKeyMakesAnotherRecord)
{
    std::vector<Record> records(7, a_record(kPhoto));
    records[1].key.driver = "other";
    records[2].key.kernels = "other";
    records[3].key.problem = "other";
    records[4].key.forced = {"lanes=1"};
    records[5].key.device = "other";
    records[6].key.compute_units = 1;
    for (const Record& record : records) store().keep(record);
    EXPECT_THAT(store().all(), testing::UnorderedElementsAreArray(records));
}

TEST_F(Store, FindsTheRecordsOfADeviceWhateverItsDriver)
{
    Record other_driver = a_record(kPhoto), other_device = a_record(kPhoto), fewer_units = a_record(kPhoto);
    other_driver.key.driver = "2.0";
    other_device.key.device = "Another GPU";
    fewer_units.key.compute_units = 7;
    for (const Record& record : {a_record(kPhoto), other_driver, other_device, fewer_units}) store().keep(record);
    EXPECT_THAT(store().of_device(kDevice), UnorderedElementsAre(a_record(kPhoto), other_driver));
}

TEST_F(Store, WhatIsTornOrForeignOrUnderAnotherNameIsLeftOut)
{
    ASSERT_TRUE(store().keep(a_record(kPhoto)));
    const auto file = std::filesystem::directory_iterator(store().folder().path())->path();
    std::filesystem::copy(file, file.parent_path() / "0000-copy.json");
    std::ofstream(file.parent_path() / "notes.txt") << "not a record";
    std::ofstream(file.parent_path() / "empty.json").flush();
    EXPECT_THAT(store().all(), ElementsAre(a_record(kPhoto)));
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_THAT(store().all(), IsEmpty());
}

TEST_F(Store, ForgetsOneKey)
{
    store().keep(a_record(kPhoto));
    store().keep(a_record(kVideo));
    EXPECT_TRUE(store().forget(a_record(kPhoto).key));
    EXPECT_FALSE(store().forget(a_record(kPhoto).key));
    EXPECT_THAT(store().all(), ElementsAre(a_record(kVideo)));
}

TEST_F(Store, WithoutAFolderNothingIsKeptAndNothingFails)
{
    const RecordStore nowhere{CacheFolder()};
    EXPECT_FALSE(nowhere.keep(a_record(kPhoto)));
    EXPECT_THAT(nowhere.all(), IsEmpty());
    EXPECT_FALSE(nowhere.forget(a_record(kPhoto).key));
}

TEST_F(Store, WritersAtOnceLoseNothing)
{
    constexpr int writers = 4, each = 10;
    {
        std::vector<std::jthread> threads;
        for (int writer = 0; writer < writers; ++writer)
            threads.emplace_back([this, writer] {
                for (int i = 0; i < each; ++i) {
                    Record record = a_record(kPhoto);
                    record.key.problem = std::to_string(writer) + " " + std::to_string(i);
                    store().keep(record);
                    record.key.problem = "the same";
                    store().keep(record);
                    (void)store().all();
                }
            });
    }
    EXPECT_THAT(store().all(), SizeIs(writers * each + 1));
}

TEST(ShippedRecords, AreReadableFasterThanThePlannerAndOfKnownDecisions)
{
    for (const Record& record : shipped_records()) {
        Decisions decisions;
        for (const std::string& decision : record.decisions)
            EXPECT_NO_THROW(decide(decisions, decision)) << record.key.problem;
        EXPECT_LE(record.ms, record.heuristic_ms) << record.key.problem;
    }
}

TEST(ShippedRecords, OfADeviceAreThoseOfFilesThatNameIt)
{
    const std::vector<Record> records = shipped_records("NVIDIA H200");
    EXPECT_FALSE(records.empty());
    EXPECT_LT(records.size(), shipped_records().size());
    for (const Record& record : records) EXPECT_EQ(record.key.device, "NVIDIA H200");
    EXPECT_TRUE(shipped_records("a device without a file").empty());
}

TEST(Record, WithNumbersOutOfRangeIsNone)
{
    const std::string text = record_text(a_record(kPhoto));
    for (const auto& [number, other] : {std::pair("\"ms\": 1.0", "\"ms\": -1"),
                                        {"\"ms\": 1.0", "\"ms\": \"1\""},
                                        {"\"compute_units\": 8", "\"compute_units\": -8"},
                                        {"\"compute_units\": 8", "\"compute_units\": 1e300"}}) {
        std::string changed = text;
        ASSERT_NE(changed.find(number), std::string::npos) << changed;
        changed.replace(changed.find(number), std::string(number).size(), other);
        EXPECT_FALSE(parse_record(changed)) << other;
    }
}

}  // namespace
}  // namespace clconv::test
