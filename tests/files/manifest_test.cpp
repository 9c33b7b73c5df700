// SPDX-License-Identifier: Apache-2.0
#include "files/manifest.h"

#include "base/errors.h"
#include "files/digest.h"
#include "files/temporary_folder.h"
#include "support/file_size_limit.h"

#include <gmock/gmock.h>

#include <csignal>
#include <sstream>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

ManifestRecord record_of(const std::string& output) { return {output, "in/" + output, {"i", "p", "o"}, 7, "d"}; }

std::string text_of(const fs::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// Keeps what is said.
class RecordedMessages final : public Messages {
public:
    void message(Level /*level*/, std::string_view said) override { text += std::string(said) + "\n"; }
    std::string text;
};

TEST(ManifestLine, ComesBackAsTheSameRecord)
{
    const std::string line = manifest_line(record_of("sub/a \"b\"\n.png"));
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
    const std::optional<ManifestRecord> back = manifest_record(line);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->output, "sub/a \"b\"\n.png");
    EXPECT_EQ(back->key, (ItemKey{"i", "p", "o"}));
    EXPECT_EQ(back->bytes, 7U);
}

TEST(ManifestLine, ThatIsCutAnywhereIsNoRecord)
{
    const std::string line = manifest_line(record_of("a.png"));
    for (std::size_t size = 0; size + 2 < line.size(); ++size)
        EXPECT_FALSE(manifest_record(line.substr(0, size))) << size;
}

using ManifestFile = InATemporaryFolder;

TEST_F(ManifestFile, KeepsWhatIsAppendedAcrossProcesses)
{
    RecordedMessages messages;
    for (const char* name : {"a.png", "b.png"}) Manifest(at("deep/m.ndjson")).append(record_of(name), messages);
    EXPECT_THAT(load_manifests({at("deep/m.ndjson")}), SizeIs(2));
}

TEST_F(ManifestFile, SurvivesATornLastLine)
{
    RecordedMessages messages;
    const std::string path = at("m.ndjson");
    for (const char* name : {"a.png", "b.png"}) Manifest(path).append(record_of(name), messages);
    const std::size_t whole = text_of(path).size();
    for (const std::size_t cut : {std::size_t{1}, std::size_t{2}, whole / 4}) {
        fs::resize_file(path, whole - cut);
        Manifest(path).append(record_of("c.png"), messages);
        const ManifestRecords records = load_manifests({path});
        EXPECT_TRUE(records.contains("a.png"));
        EXPECT_TRUE(records.contains("c.png")) << "not glued to the torn line";
        EXPECT_EQ(records.contains("b.png"), cut == 1) << "only the end of the line was lost";
        fs::resize_file(path, 0);
        for (const char* name : {"a.png", "b.png"}) Manifest(path).append(record_of(name), messages);
    }
}

TEST_F(ManifestFile, GoesOnBehindALineForWhichTheDiskHadNoRoom)
{
    RecordedMessages messages;
    Manifest manifest(at("m.ndjson"));
    manifest.append(record_of("a.png"), messages);
    {
        const test::FileSizeLimit limit(text_of(at("m.ndjson")).size() + 9);
        manifest.append(record_of("b.png"), messages);
    }
    manifest.append(record_of("c.png"), messages);
    const ManifestRecords records = load_manifests({at("m.ndjson")});
    EXPECT_TRUE(records.contains("a.png"));
    EXPECT_FALSE(records.contains("b.png"));
    EXPECT_TRUE(records.contains("c.png")) << text_of(at("m.ndjson"));
}

TEST_F(ManifestFile, ThatIsNotThereHasNoRecords) { EXPECT_THAT(load_manifests({at("none")}), SizeIs(0)); }

TEST_F(ManifestFile, ThatCannotBeOpenedIsNamed)
{
    (void)file("plain");
    EXPECT_THAT(message_of<InvalidProblem>([&] { Manifest(at("plain/m.ndjson")); }), HasSubstr("plain/m.ndjson"));
}

TEST(ManifestOnAFullDisk, WarnsOnce)
{
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
    RecordedMessages messages;
    Manifest manifest("/dev/full");
    for (const char* name : {"a.png", "b.png"}) manifest.append(record_of(name), messages);
    EXPECT_EQ(std::ranges::count(messages.text, '\n'), 1) << messages.text;
    EXPECT_THAT(messages.text, HasSubstr("/dev/full"));
}

TEST_F(ManifestFile, DigestsTellContentsApartAndNothingElse)
{
    EXPECT_EQ(digest_of_file(file("a", "text")), digest_of_file(file("b", "text")));
    EXPECT_NE(digest_of_file(file("a", "text")), digest_of_file(file("b", "texu")));
    EXPECT_EQ(digest_of_file(file("empty", "")).size(), 32U);
    EXPECT_THROW((void)digest_of_file(at("nowhere")), InputError);
    Digester one;
    one.add_text("ab");
    one.add_text("c");
    Digester other;
    other.add_text("a");
    other.add_text("bc");
    EXPECT_NE(one.hex(), other.hex());
}

/// in/a.png was made into out/a.png, and is in the manifest.
class Resuming : public InATemporaryFolder {
protected:
    Resuming()
    {
        items_ = {{{0, file("in/a.png", "input"), file("out/a.png", "output"), "box"}, 0, false}};
        context_ = {at("out"), {"psf"}, "options"};
        records_.emplace("a.png", ManifestRecord{"a.png",
                                                 "in/a.png",
                                                 {digest_of_file(at("in/a.png")), "psf", "options"},
                                                 6,
                                                 digest_of_file(at("out/a.png"))});
    }

    bool skips()
    {
        skip_what_is_done(items_, records_, context_, 2, stop_, messages_);
        return items_[0].skip;
    }

    std::vector<Item> items_;
    ManifestRecords records_;
    ManifestContext context_;
    std::atomic<int> stop_ = 0;
    RecordedMessages messages_;
};

TEST_F(Resuming, SkipsWhatIsDone) { EXPECT_TRUE(skips()); }

TEST_F(Resuming, ReadsNoMoreFilesAfterASignal)
{
    stop_ = SIGINT;
    EXPECT_FALSE(skips());
}

TEST_F(Resuming, ForgetsAnEarlierMark)
{
    items_[0].skip = true;
    records_.clear();
    EXPECT_FALSE(skips());
}

TEST_F(Resuming, SkipsByContentNotByTime)
{
    fs::last_write_time(at("in/a.png"), fs::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_TRUE(skips());
}

TEST_F(Resuming, MakesAgainWhatHasChangedAndSaysWhy)
{
    (void)file("in/a.png", "inpuT");
    EXPECT_FALSE(skips());
    EXPECT_THAT(messages_.text, HasSubstr("its input has changed"));
}

TEST_F(Resuming, MakesAgainWithAnotherPsf)
{
    context_.psfs = {"another"};
    EXPECT_FALSE(skips());
    EXPECT_THAT(messages_.text, HasSubstr("PSF"));
}

TEST_F(Resuming, MakesAgainWithOtherOptions)
{
    context_.options = "others";
    EXPECT_FALSE(skips());
    EXPECT_THAT(messages_.text, HasSubstr("options"));
}

TEST_F(Resuming, MakesAgainWhatIsGoneCutOrDamaged)
{
    (void)file("out/a.png", "outpuT");
    EXPECT_FALSE(skips());
    (void)file("out/a.png", "out");
    EXPECT_FALSE(skips());
    fs::remove(at("out/a.png"));
    EXPECT_FALSE(skips());
    EXPECT_THAT(messages_.text, HasSubstr("output is gone"));
}

TEST_F(Resuming, AnyRecordOfAnOutputMayProveIt)
{
    ManifestRecord older = records_.begin()->second;
    older.key.options = "older";
    records_.emplace("a.png", older);
    EXPECT_TRUE(skips());
    context_.options = "older";
    EXPECT_TRUE(skips());
}

TEST_F(Resuming, SkipsWhatHasANameThatIsNoText)
{
    items_[0].info.output = file("out/\xff.png", "output");
    const std::optional<ManifestRecord> record =
        record_of_output(items_[0], records_.begin()->second.key, context_.output_folder);
    ASSERT_TRUE(record);
    const std::optional<ManifestRecord> read = manifest_record(manifest_line(*record));
    ASSERT_TRUE(read);
    records_ = {{read->output, *read}};
    EXPECT_TRUE(skips());
}

TEST_F(Resuming, LeavesAnInputThatIsGoneToItsReader)
{
    fs::remove(at("in/a.png"));
    EXPECT_FALSE(skips());
}

TEST(ManifestLine, WithANumberOfBytesThatIsNoneIsNoRecord)
{
    const std::string line = manifest_line(record_of("a.png"));
    const std::string number = "\"output_bytes\":7";
    ASSERT_NE(line.find(number), std::string::npos);
    for (const char* other : {"-1", "7.5", "1e300", "18446744073709551616", "\"7\"", "null"}) {
        std::string changed = line;
        changed.replace(changed.find(number), number.size(), "\"output_bytes\":" + std::string(other));
        EXPECT_FALSE(manifest_record(changed)) << other;
    }
}

}  // namespace
}  // namespace clconv
