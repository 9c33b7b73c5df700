// SPDX-License-Identifier: Apache-2.0
#include "base/errors.h"
#include "files/name_template.h"
#include "files/output_checks.h"
#include "files/output_names.h"
#include "files/temporary_folder.h"

#include <gmock/gmock.h>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::set<std::string> kReadable = {"png", "jpg", "cr2"};
const std::set<std::string> kWritable = {"png", "jpg", "exr"};

std::vector<std::string> outputs(const std::vector<InputFile>& inputs, const std::vector<std::string>& psfs,
                                 const NamingOptions& options)
{
    std::vector<std::string> names;
    for (const Item& item : planned_items(inputs, psfs, options, {kReadable, kWritable}))
        names.push_back(item.info.output.string());
    return names;
}

TEST(OutputNames, KeepNameExtensionAndFolder)
{
    EXPECT_THAT(outputs({{"in/a.JPG", ""}, {"in/sub/b.png", "sub"}}, {"box"}, {"out", "", ""}),
                ElementsAre("out/a.JPG", "out/sub/b.png"));
}

TEST(OutputNames, HoldThePsfIfThereAreSeveral)
{
    EXPECT_THAT(outputs({{"a.png", ""}}, {"box", "disc"}, {"out", "", ""}),
                ElementsAre("out/a_box.png", "out/a_disc.png"));
}

TEST(OutputNames, FillEveryField)
{
    EXPECT_THAT(outputs({{"a.png", ""}, {"b.png", ""}}, {"box"}, {"out", "{psf}/{index}-{stem}{ext}", ""}),
                ElementsAre("out/box/0-a.png", "out/box/1-b.png"));
}

TEST(OutputNames, FormatChangesTheExtensionWithOrWithoutItsDot)
{
    EXPECT_THAT(outputs({{"a.cr2", ""}}, {"box"}, {"out", "", "exr"}), ElementsAre("out/a.exr"));
    EXPECT_THAT(outputs({{"a.cr2", ""}}, {"box"}, {"out", "", ".exr"}), ElementsAre("out/a.exr"));
}

TEST(OutputNames, RefuseAFormatThatCannotBeWritten)
{
    EXPECT_THAT(message_of<InvalidProblem>([] {
                    (void)outputs({{"a.png", ""}}, {"box"}, {"out", "", "xyz"});
                }),
                AllOf(HasSubstr("xyz"), HasSubstr("exr")));
    EXPECT_THAT(message_of<InvalidProblem>([] {
                    (void)outputs({{"a.png", ""}}, {"box"}, {"out", "{stem}", ""});
                }),
                HasSubstr("{ext}"));
}

TEST(OutputNames, LetThroughAnInputWhoseExtensionCannotBeWrittenSoThatItFailsAlone)
{
    EXPECT_THAT(outputs({{"a.png", ""}, {"b.cr2", ""}, {"notes.txt", ""}}, {"box"}, {"out", "", ""}),
                ElementsAre("out/a.png", "out/b.cr2", "out/notes.txt"));
}

TEST(OutputNames, AreTheFileThatIsGivenForOneInputAndOnePsf)
{
    const NamingOptions options{"out", "", "", "out/../soft.exr"};
    EXPECT_THAT(outputs({{"in/a.cr2", "in"}}, {"box"}, options), ElementsAre("soft.exr"));
    EXPECT_THAT(message_of<InvalidProblem>([&] {
                    (void)outputs({{"a.png", ""}, {"b.png", ""}}, {"box"}, options);
                }),
                AllOf(HasSubstr("soft.exr: is a file's name; 2 inputs with 1 PSF"), HasSubstr("end it with /")));
    EXPECT_THAT(message_of<InvalidProblem>([&] {
                    (void)outputs({{"a.png", ""}}, {"box", "disc"}, options);
                }),
                HasSubstr("1 input with 2 PSFs"));
}

TEST(OutputNames, HaveNoOutputForWhatIsOnlyReadUnlessTheOptionsChangeTheFormat)
{
    const auto extensions = [](const NamingOptions& options) {
        return extensions_without_output(options, {kReadable, kWritable});
    };
    EXPECT_THAT(extensions({"out", "", ""}), ElementsAre("cr2"));
    EXPECT_THAT(extensions({"out", "{index}{ext}", ""}), ElementsAre("cr2"));
    EXPECT_THAT(extensions({"out", "", "exr"}), IsEmpty());
    EXPECT_THAT(extensions({"out", "{stem}.exr", ""}), IsEmpty());
}

TEST(OutputNames, AreCheckedOnceTheyAreFilled)
{
    const auto message = [](const char* input, const char* psf, const char* name) {
        return message_of<InvalidProblem>([&] { (void)outputs({{input, ""}}, {psf}, {"out", name, ""}); });
    };
    EXPECT_THAT(message("a.png", "..", "{psf}/{stem}{ext}"), AllOf(HasSubstr("a.png"), HasSubstr("../a.png")));
    EXPECT_THAT(message("in/...png", "box", "{stem}/x{ext}"), AllOf(HasSubstr("in/...png"), HasSubstr("../x.png")));
    EXPECT_THAT(message("...png", "..", "a/{stem}/{psf}/x.png"), HasSubstr("a/../../x.png"));
    EXPECT_THAT(outputs({{"...png", ""}, {"a..b.png", ""}}, {".."}, {"out", "./{stem}_{psf}{ext}", ""}),
                ElementsAre("out/.._...png", "out/a..b_...png"));
}

TEST(OutputNames, OfAnExtensionAloneAreRefused)
{
    for (const char* name : {"{ext}", "{psf}/{ext}", ".png"})
        EXPECT_THAT(message_of<InvalidProblem>([&] {
                        (void)outputs({{"in.png", ""}}, {"psf"}, {"out", name, ""});
                    }),
                    HasSubstr(".png: would have an extension and no name"));
}

TEST(NameTemplate, NamesAnUnknownField)
{
    EXPECT_THAT(message_of<InvalidProblem>([] { NameTemplate("{stem}_{size}{ext}"); }), HasSubstr("{size}"));
}

TEST(NameTemplate, RefusesBracesWithoutPartnerAndNamesOutsideTheFolder)
{
    for (const char* text : {"{stem", "stem}", "", "a/", "/elsewhere/{stem}{ext}", "../{stem}{ext}"})
        EXPECT_THROW(NameTemplate{text}, InvalidProblem) << text;
}

Item item(std::size_t index, const fs::path& input, const fs::path& output, const std::string& psf = "box")
{
    return {{index, input, output, psf}, 0, false};
}

TEST(OutputChecks, NameBothInputsOfOneOutput)
{
    EXPECT_THAT(message_of<InvalidProblem>([] {
                    check_distinct({item(0, "x/a.png", "out/a.png"), item(1, "y/a.png", "out/a.png")});
                }),
                AllOf(HasSubstr("x/a.png"), HasSubstr("y/a.png"), HasSubstr("out/a.png")));
}

TEST(OutputChecks, SuggestTheIndexForPsfsOfOneName)
{
    EXPECT_THAT(message_of<InvalidProblem>([] {
                    check_distinct({item(0, "a.png", "out/a_box.png"), item(1, "a.png", "out/a_box.png")});
                }),
                AllOf(HasSubstr("box"), HasSubstr("{index}")));
}

using OutputChecksOnDisk = InATemporaryFolder;

TEST_F(OutputChecksOnDisk, FindAnInputBehindALinkedFolderOrAnotherSpelling)
{
    file("in/a.png");
    fs::create_directory_symlink(at("in"), at("link"));
    for (const char* output : {"in/a.png", "link/a.png", "in/../in/./a.png"})
        EXPECT_THAT(message_of<InvalidProblem>([&] { check_not_inputs({item(0, at("in/a.png"), at(output))}, {}); }),
                    HasSubstr("a.png"))
            << output;
    EXPECT_NO_THROW(check_not_inputs({item(0, at("in/a.png"), at("out/a.png"))}, {}));
}

TEST_F(OutputChecksOnDisk, FindOneOutputBehindTwoFoldersOfWhichOneIsALink)
{
    fs::create_directories(at("out/y"));
    fs::create_directory_symlink(at("out/y"), at("out/x"));
    for (const char* rest : {"a.png", "new/a.png", "new/deep/a.png"}) {
        const fs::path first = fs::path(at("out/x")) / rest;
        const fs::path second = fs::path(at("out/y")) / rest;
        EXPECT_THAT(message_of<InvalidProblem>([&] {
                        check_distinct({item(0, "in/x/a.png", first), item(1, "in/y/a.png", second)});
                    }),
                    AllOf(HasSubstr("in/x/a.png"), HasSubstr("in/y/a.png"), HasSubstr(first), HasSubstr(second)));
    }
    EXPECT_NO_THROW(check_distinct({item(0, "in/x/a.png", at("out/x/a.png")), item(1, "in/y/a.png", at("out/a.png")),
                                    item(2, "in/z/a.png", at("new/a.png")), item(3, "a.png", at("new/new/a.png"))}));
}

TEST_F(OutputChecksOnDisk, FindNamesThatDifferInCaseAloneWhereTheFolderIgnoresIt)
{
    const std::vector<Item> items{item(0, "in/A.png", at("out/A.png")), item(1, "in/a.png", at("out/a.png"))};
    std::vector<fs::path> requested;
    const auto answer = [&requested](bool ignores) {
        return [&requested, ignores](const fs::path& folder) {
            requested.push_back(folder);
            return ignores;
        };
    };
    EXPECT_NO_THROW(check_distinct_in_any_case(items, answer(false)));
    EXPECT_THAT(message_of<InvalidProblem>([&] { check_distinct_in_any_case(items, answer(true)); }),
                AllOf(HasSubstr("in/A.png"), HasSubstr("in/a.png"), HasSubstr(at("out/A.png"))));
    EXPECT_THAT(requested, ElementsAre(folder_, folder_));
    EXPECT_THROW(check_distinct_in_any_case({item(0, "in/X/a.png", at("out/X/a.png")), item(1, "b", at("out/x/A.PNG"))},
                                            answer(true)),
                 InvalidProblem);
    requested.clear();
    EXPECT_NO_THROW(check_distinct_in_any_case({items[0], item(1, "in/b.png", at("out/b.png"))}, answer(true)));
    EXPECT_THAT(requested, IsEmpty());
}

TEST_F(OutputChecksOnDisk, AskAFolderAboutCaseWithoutLeavingAnything)
{
    file("plain");
    EXPECT_EQ(ignores_case(folder_), fs::exists(at("PLAIN")));
    EXPECT_FALSE(ignores_case(at("missing")));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(OutputChecksOnDisk, FindAnInputByItsPlaceOnTheDisk)
{
    // The output has another name, as where its folder is mounted twice or ignores case: here it is a hard link beside
    // the input.
    file("in/a.png");
    fs::create_directories(at("out"));
    fs::create_hard_link(at("in/a.png"), at("in/A.png"));
    fs::create_hard_link(at("in/a.png"), at("out/a.png"));
    EXPECT_THAT(message_of<InvalidProblem>([&] { check_not_inputs({item(0, at("in/a.png"), at("in/A.png"))}, {}); }),
                HasSubstr("would replace the input"));
    EXPECT_NO_THROW(check_not_inputs({item(0, at("in/a.png"), at("out/a.png"))}, {}));
}

TEST_F(OutputChecksOnDisk, RefuseWhatLiesOutsideTheOutputFolderOnceLinksAreFollowed)
{
    file("elsewhere/x");
    file("out/inside/x");
    fs::create_directory_symlink(at("elsewhere"), at("out/link"));
    fs::create_directory_symlink(at("out"), at("spelling"));
    for (const char* inside : {"out/a.png", "out/inside/a.png", "out/new/a.png", "spelling/new/a.png", "out/..a/b.png"})
        for (const char* top : {"out", "out/", "spelling"})
            EXPECT_NO_THROW(check_below({item(0, "a.png", at(inside))}, at(top))) << inside << " in " << top;
    EXPECT_NO_THROW(check_below({item(0, "a.png", at("new/a.png"))}, at("new/")));
    for (const char* outside : {"a.png", "outside/a.png", "out/link/a.png", "out/link/new/a.png"})
        EXPECT_THAT(message_of<InvalidProblem>([&] { check_below({item(0, "a.png", at(outside))}, at("out")); }),
                    AllOf(HasSubstr(at(outside)), HasSubstr(at("out"))));
}

TEST_F(OutputChecksOnDisk, ProtectThePsfs)
{
    EXPECT_THROW(check_not_inputs({item(0, file("a.png"), file("psf.png"))}, {at("psf.png")}), InvalidProblem);
}

TEST_F(OutputChecksOnDisk, RefuseAFolderThatCannotBeMadeWithoutMakingAny)
{
    file("plain");
    EXPECT_THAT(message_of<InvalidProblem>([&] { check_folders({item(0, "a.png", at("plain/out/a.png"))}); }),
                HasSubstr("plain"));
    EXPECT_NO_THROW(check_folders({item(0, "a.png", at("new/out/a.png"))}));
    EXPECT_FALSE(fs::exists(at("new")));
}

TEST_F(OutputChecksOnDisk, RefuseExistingOutputsNamingTheFirstAndTheCount)
{
    std::vector<Item> items;
    for (std::size_t i = 0; i < 5; ++i) items.push_back(item(i, "a.png", file("out/" + std::to_string(i) + ".png")));
    items.push_back(item(5, "b.png", at("out/new.png")));
    EXPECT_THAT(
        message_of<OutputExists>([&] { settle_existing(items, Existing::refuse); }),
        AllOf(HasSubstr("5 of 6"), HasSubstr("out/0.png"), HasSubstr("--overwrite"), HasSubstr("--skip-existing")));
}

TEST_F(OutputChecksOnDisk, SkipOnlyWhatExistsAndOverwriteNothingButFiles)
{
    std::vector<Item> items = {item(0, "a.png", file("out/a.png")), item(1, "b.png", at("out/b.png"))};
    settle_existing(items, Existing::skip);
    EXPECT_TRUE(items[0].skip);
    EXPECT_FALSE(items[1].skip);
    settle_existing(items, Existing::overwrite);
    EXPECT_FALSE(items[0].skip);
    fs::create_directory(at("out/b.png"));
    EXPECT_THROW(settle_existing(items, Existing::overwrite), InvalidProblem);
}

TEST_F(OutputChecksOnDisk, TakeALinkThatLeadsNowhereForAnOutputThatExists)
{
    std::vector<Item> items = {item(0, "a.png", at("out/a.png"))};
    fs::create_directory(at("out"));
    fs::create_symlink(at("nowhere"), at("out/a.png"));
    EXPECT_THROW(settle_existing(items, Existing::refuse), OutputExists);
}

TEST_F(OutputChecksOnDisk, MakeFoldersMakesThemAll)
{
    make_folders({item(0, "a.png", at("out/x/y/a.png")), item(1, "b.png", at("out/b.png"))});
    EXPECT_TRUE(fs::is_directory(at("out/x/y")));
}

}  // namespace
}  // namespace clconv
