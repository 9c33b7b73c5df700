// SPDX-License-Identifier: Apache-2.0
#include "report/progress.h"
#include "report/tally.h"

#include <gmock/gmock.h>

namespace clconv {
namespace {

using testing::HasSubstr;
using testing::Not;

ItemResult done(Extent extent, std::vector<StageTime> times)
{
    ItemResult result;
    result.status = ItemStatus::done;
    result.pixels = extent.pixels();
    result.times = std::move(times);
    return result;
}

ItemResult failed(std::string error)
{
    ItemResult result;
    result.status = ItemStatus::failed;
    result.error = std::move(error);
    return result;
}

TEST(Summary, CountsImagesAndRates)
{
    Tally tally;
    tally.total = 4;
    add(tally, done({1000, 500}, {}));
    add(tally, done({1000, 500}, {}));
    add(tally, failed("broken"));
    EXPECT_EQ(tally.not_started(), 1U);
    const std::string text = summary(tally, Seconds{2});
    EXPECT_THAT(text, HasSubstr("2 done, 1 failed, 0 skipped, 1 not started in 2.00 s"));
    EXPECT_THAT(text, HasSubstr("\n1.00 images/s, 0.5 Mpixel/s"));
}

/// The numbers that follow `name` in a summary: seconds.
double seconds_of(const std::string& text, const std::string& name)
{
    const std::size_t at = text.find("  " + name + " ");
    EXPECT_NE(at, std::string::npos) << name << " in\n" << text;
    return std::stod(text.substr(at + 2 + name.size()));
}

TEST(Summary, AddsUpToTheClocksTimeForEachKindOfThread)
{
    Tally tally;
    tally.total = 1;
    tally.jobs = 2;
    tally.preparing = Seconds{0.5};
    add(tally,
        done({1, 1}, {{"read", Seconds{1}}, {"upload", Seconds{2}}, {"rows", Seconds{0.25}}, {"write", Seconds{4}}}));
    const std::string text = stage_table(tally, Seconds{3});
    EXPECT_EQ(seconds_of(text, "preparing"), 0.5);
    EXPECT_EQ(seconds_of(text, "2 readers"), 5.0) << "2 x 2.5 s";
    EXPECT_EQ(seconds_of(text, "1 device"), 2.5);
    const std::size_t readers = text.find("2 readers");
    const std::size_t device = text.find("1 device");
    const std::size_t writers = text.find("2 writers");
    ASSERT_LT(readers, device);
    ASSERT_LT(device, writers);
    EXPECT_EQ(seconds_of(text.substr(readers), "waiting"), 4.0);
    EXPECT_EQ(seconds_of(text.substr(device), "waiting"), 0.25);
    EXPECT_EQ(seconds_of(text.substr(writers), "waiting"), 1.0);
}

TEST(Summary, CountsTheOpeningOfDevicesAsTheirs)
{
    Tally tally;
    tally.total = 1;
    tally.workers = 2;
    tally.opening = Seconds{1};
    add(tally, done({1, 1}, {{"rows", Seconds{0.25}}}));
    const std::string text = stage_table(tally, Seconds{3});
    EXPECT_EQ(seconds_of(text, "opening"), 2.0) << "each waits for all";
    EXPECT_EQ(seconds_of(text.substr(text.find("2 devices")), "waiting"), 3.75);
}

TEST(Summary, SaysHowMuchOfADevicesWorkOverlapped)
{
    Tally tally;
    tally.total = 1;
    add(tally, done({1, 1}, {{"upload", Seconds{2}}, {"rows", Seconds{2}}}));
    EXPECT_EQ(seconds_of(stage_table(tally, Seconds{3}), "less what was done together"), 1.0);
    EXPECT_THAT(summary(tally, Seconds{3}), HasSubstr("1 device 100 % (upload 50 %, rows 50 %)")) << "not 67 % each";
}

TEST(Summary, HasThreeLinesThatNameWhatTookLongestOnTheDevice)
{
    Tally tally;
    tally.total = 1;
    tally.jobs = 2;
    add(tally, done({1, 1}, {{"read", Seconds{1}},
                             {"build", Seconds{1}},
                             {"rows", Seconds{0.5}},
                             {"upload", Seconds{0.1}},
                             {"columns", Seconds{2}},
                             {"write", Seconds{4}}}));
    EXPECT_EQ(summary(tally, Seconds{4}),
              "1 done, 0 failed, 0 skipped in 4.00 s\n0.25 images/s, 0.0 Mpixel/s\n"
              "busy: 2 readers 12 %, 1 device 90 % (columns 50 %, compiling 25 %, rows 12 %), 2 writers 50 %");
}

TEST(Summary, ListsStagesInTheOrderOfTheWorkAndSaysWhatOverlaps)
{
    Tally tally;
    tally.total = 2;
    add(tally, done({1, 1}, {{"upload", Seconds{1}}, {"write", Seconds{4}}}));
    add(tally, done({1, 1}, {{"read", Seconds{2}}, {"upload", Seconds{1}}}));
    const std::string text = stage_table(tally, Seconds{3});
    EXPECT_THAT(text, HasSubstr("at the same time"));
    EXPECT_LT(text.find("  read "), text.find("  upload "));
    EXPECT_LT(text.find("  upload "), text.find("  write "));
    EXPECT_THAT(text, HasSubstr("66.7 %"));
}

TEST(Summary, HasNoRateWhenNothingWasDone)
{
    Tally tally;
    tally.total = 1;
    add(tally, failed("broken"));
    EXPECT_THAT(summary(tally, Seconds{1}), Not(HasSubstr("images/s")));
}

TEST(Progress, FitsTheColumns)
{
    Tally tally;
    tally.total = 40;
    for (int i = 0; i < 12; ++i) add(tally, done({1, 1}, {}));
    for (const int columns : {1, 10, 30, 60, 80, 200})
        EXPECT_LE(progress_line(tally, Seconds{3}, columns).size(), static_cast<std::size_t>(columns));
}

TEST(Progress, SaysHowManyAreFinishedHowFastAndHowLongItTakes)
{
    Tally tally;
    tally.total = 40;
    for (int i = 0; i < 20; ++i) add(tally, done({1, 1}, {}));
    const std::string line = progress_line(tally, Seconds{10}, 80);
    EXPECT_THAT(line, HasSubstr("20/40"));
    EXPECT_THAT(line, HasSubstr("2.0 images/s"));
    EXPECT_THAT(line, HasSubstr("0:10 left"));
    EXPECT_EQ(line.front(), '[');
}

TEST(Progress, CountsMinutesOfAnHourFromZero)
{
    Tally tally;
    tally.total = 1 + 2 * 3600 + 3 * 60 + 4;
    add(tally, done({1, 1}, {}));
    EXPECT_THAT(progress_text(tally, Seconds{1}), HasSubstr("2:03:04 left"));
}

TEST(ProgressText, HasTheIterationOfAnItemUntilItEnds)
{
    Tally tally;
    tally.total = 2;
    ItemInfo first, second;
    second.index = 1;
    note(tally, first, {33, 100});
    note(tally, first, {34, 100});
    EXPECT_THAT(progress_text(tally, Seconds{3}), HasSubstr("iteration 34 of 100"));
    add(tally, second, done({1, 1}, {}));
    EXPECT_THAT(progress_text(tally, Seconds{4}), HasSubstr("iteration 34 of 100"));
    add(tally, first, done({1, 1}, {}));
    EXPECT_THAT(progress_text(tally, Seconds{5}), Not(HasSubstr("iteration")));
}

}  // namespace
}  // namespace clconv
