// SPDX-License-Identifier: Apache-2.0
#include "files/listing.h"

#include "base/errors.h"
#include "files/temporary_folder.h"

#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <memory>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Keeps what is warned of.
class Warnings final : public Messages {
public:
    void message(Level level, std::string_view text) override
    {
        if (level == Level::warning) texts.emplace_back(text);
    }
    std::vector<std::string> texts;
};

class Listing : public InATemporaryFolder {
protected:
    /// Lists and returns paths relative to the folder of the test.
    std::vector<std::string> listed()
    {
        std::vector<std::string> paths;
        for (const InputFile& input : list_inputs(request_, {"png", "jpg"}, *warnings_))
            paths.push_back(input.path.lexically_relative(folder_).string());
        return paths;
    }
    std::vector<std::string> folders()
    {
        std::vector<std::string> paths;
        for (const InputFile& input : list_inputs(request_, {"png", "jpg"}, *warnings_))
            paths.push_back(input.folder.string());
        return paths;
    }

    InputRequest request_;
    std::shared_ptr<Warnings> warnings_ = std::make_shared<Warnings>();
};

TEST_F(Listing, OfAFolderHoldsTheImagesDirectlyInsideWhateverTheCaseOfTheirExtension)
{
    file("in/b.JPG");
    file("in/a.png");
    file("in/notes.txt");
    file("in/sub/c.png");
    request_.inputs = {at("in")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/b.JPG"));
}

TEST_F(Listing, RecursiveKeepsTheFolderOfEachImage)
{
    file("in/a.png");
    file("in/sub/deep/c.png");
    request_.inputs = {at("in") + "/"};
    request_.recursive = true;
    EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/sub/deep/c.png"));
    EXPECT_THAT(folders(), ElementsAre("", "sub/deep"));
}

TEST_F(Listing, IsSortedByTheBytesOfPathsNotByTheOrderOfInputs)
{
    file("in/a/x.png");
    file("in/a-b/x.png");
    request_.inputs = {at("in/a/x.png"), at("in/a-b/x.png")};
    EXPECT_THAT(listed(), ElementsAre("in/a-b/x.png", "in/a/x.png"));
}

TEST_F(Listing, DropsTheSameNameUnderAnotherSpellingOrBehindALinkedFolder)
{
    file("in/a.png");
    fs::create_directory_symlink(at("in"), at("linked"));
    request_.inputs = {at("in/a.png"), at("in/../in/a.png"), at("in/./a.png"),
                       at("in"),       at("linked/a.png"),   at("linked")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
}

TEST_F(Listing, TakesLinksWithNamesOfTheirOwnAsInputsOfTheirOwn)
{
    file("in/f1.png");
    fs::create_symlink("f1.png", at("in/f2.png"));
    fs::create_hard_link(at("in/f1.png"), at("in/f3.png"));
    for (const char* input : {"in", "in/*.png"}) {
        request_.inputs = {at(input)};
        EXPECT_THAT(listed(), ElementsAre("in/f1.png", "in/f2.png", "in/f3.png")) << input;
    }
    request_.inputs = {at("in/f3.png"), at("in/f2.png"), at("in/f1.png")};
    EXPECT_THAT(listed(), ElementsAre("in/f1.png", "in/f2.png", "in/f3.png"));
}

TEST_F(Listing, LeavesOutWhatIsNoRegularFileWithAWarning)
{
    file("in/a.png");
    ASSERT_EQ(mkfifo(at("in/b.png").c_str(), 0600), 0);
    fs::create_symlink("/dev/zero", at("in/c.jpg"));
    fs::create_symlink(at("in/b.png"), at("in/d.png"));
    request_.inputs = {at("in")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
    EXPECT_THAT(warnings_->texts, ElementsAre(AllOf(HasSubstr("b.png"), HasSubstr("FIFO")),
                                              AllOf(HasSubstr("c.jpg"), HasSubstr("device")),
                                              AllOf(HasSubstr("d.png"), HasSubstr("FIFO"))));
}

TEST_F(Listing, LeavesOutImagesWithoutAnOutputWithOneWarningAKind)
{
    file("in/a.png");
    file("in/b.JPG");
    file("in/c.jpg");
    file("in/deep/d.jpg");
    request_.inputs = {at("in"), at("in/*.jpg"), at("in/c.jpg")};
    request_.recursive = true;
    request_.no_output = {"jpg"};
    EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/c.jpg"));  // named
    EXPECT_THAT(warnings_->texts, ElementsAre(AllOf(HasSubstr("2 images with the extension .jpg"),
                                                    HasSubstr("in/b.JPG"), HasSubstr("--format tif"))));
}

TEST_F(Listing, NamesAnImageWithoutAnOutputAsTheUserDid)
{
    file("in/a.png");
    file("in/b.jpg");
    fs::create_directory_symlink(at("in"), at("linked"));
    request_.inputs = {at("linked")};
    request_.no_output = {"jpg"};
    EXPECT_THAT(listed(), SizeIs(1));
    EXPECT_THAT(warnings_->texts, ElementsAre(HasSubstr("such as " + at("linked/b.jpg"))));
}

TEST_F(Listing, OfNothingButImagesWithoutAnOutputSaysWhy)
{
    file("in/a.jpg");
    file("in/b.jpg");
    request_.inputs = {at("in")};
    request_.no_output = {"jpg"};
    EXPECT_THAT(message_of<NoInput>([&] { (void)listed(); }),
                AllOf(HasSubstr("no input found"), HasSubstr("2 images with the extension .jpg (can be read, not "),
                      HasSubstr("--format tif")));
    EXPECT_THAT(warnings_->texts, IsEmpty());
    request_.exclude = {"a.*"};
    EXPECT_THAT(message_of<NoInput>([&] { (void)listed(); }), AllOf(HasSubstr("1 image "), HasSubstr("1 left out by")));
}

TEST_F(Listing, TakesANamedFileWhateverItsExtension)
{
    file("scan.weird");
    request_.inputs = {at("scan.weird")};
    EXPECT_THAT(listed(), ElementsAre("scan.weird"));
}

TEST_F(Listing, KeepsANamedFileThatDoesNotExistAmongOthersThatDo)
{
    file("a.png");
    request_.inputs = {at("a.png"), at("gone.png")};
    EXPECT_THAT(listed(), ElementsAre("a.png", "gone.png"));
}

TEST_F(Listing, OfNothingThatExistsNamesWhatWasLookedFor)
{
    fs::create_directory(folder_ / "empty");
    request_.inputs = {at("gone.png"), at("empty"), at("*.jpg")};
    const std::string message = message_of<NoInput>([&] { (void)listed(); });
    EXPECT_THAT(message, HasSubstr("gone.png (does not exist)"));
    EXPECT_THAT(message, HasSubstr("empty (a folder without images"));
    EXPECT_THAT(message, HasSubstr("*.jpg (a pattern that matches nothing)"));
}

TEST_F(Listing, ExpandsPatternsAndKeepsTheFoldersBelowTheirFixedPart)
{
    file("in/a.png");
    file("in/x/b.png");
    file("in/x/y/c.png");
    for (const char* pattern : {"in/**/*.png", "in/**"}) {
        request_.inputs = {at(pattern)};
        EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/x/b.png", "in/x/y/c.png")) << pattern;
        EXPECT_THAT(folders(), ElementsAre("", "x", "x/y")) << pattern;
    }
}

TEST_F(Listing, AFolderThatAPatternMatchesIsListedAsIfItWereNamedAndKept)
{
    file("in/x/b.png");
    file("in/x/y/c.png");
    request_.inputs = {at("in/*")};
    EXPECT_THAT(listed(), ElementsAre("in/x/b.png"));
    EXPECT_THAT(folders(), ElementsAre("x"));
}

TEST_F(Listing, APatternThatIsAFilesNameMeansThatFile)
{
    file("a[1].png");
    file("a1.png");
    request_.inputs = {at("a[1].png")};
    EXPECT_THAT(listed(), ElementsAre("a[1].png"));
}

TEST_F(Listing, OfAPatternLeavesOutHiddenFilesAndWhatIsNoImage)
{
    file("in/.hidden.png");
    file("in/a.png");
    file("in/notes.txt");
    request_.inputs = {at("in/*")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
}

TEST_F(Listing, IncludeAndExcludeMatchTheNameOrThePathBelowTheInput)
{
    file("in/a.png");
    file("in/a.jpg");
    file("in/old/a.png");
    file("in/new/a.png");
    request_.inputs = {at("in")};
    request_.recursive = true;
    request_.include = {"*.png"};
    request_.exclude = {"old/*"};
    EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/new/a.png"));
}

TEST_F(Listing, SaysSoWhenExcludeLeavesNothing)
{
    file("in/a.png");
    request_.inputs = {at("in")};
    request_.exclude = {"*"};
    EXPECT_THAT(message_of<NoInput>([&] { (void)listed(); }), HasSubstr("1 left out by --include or --exclude"));
}

TEST_F(Listing, NeverLooksIntoTheOutputFolderBelowAnInputFolder)
{
    file("in/a.png");
    file("in/out/a.png");
    request_.inputs = {at("in")};
    request_.recursive = true;
    request_.skip_folder = at("in/out");
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
}

TEST_F(Listing, OfAPatternNeverLooksIntoTheOutputFolder)
{
    file("in/a.png");
    file("in/out/a.png");
    file("in/out/deep/b.png");
    request_.skip_folder = at("in/out");
    for (const char* pattern : {"in/**/*.png", "in/**", "in/*", "in/o*/*.png"}) {
        request_.inputs = {at("in/a.png"), at(pattern)};
        EXPECT_THAT(listed(), ElementsAre("in/a.png")) << pattern;
    }
    request_.inputs = {at("in/out/*.png")};
    EXPECT_THAT(listed(), ElementsAre("in/out/a.png")) << "which is named";
}

/// A file in/a.png, and a folder in/closed that this user cannot list.
class ClosedFolder : public Listing {
protected:
    void SetUp() override
    {
        file("in/a.png");
        file("in/closed/b.png");
        fs::permissions(folder_, fs::perms{0755});
        fs::permissions(at("in/closed"), fs::perms::none);
        constexpr ::uid_t nobody = 65534;
        if (user_ == 0) {
            ASSERT_EQ(::seteuid(nobody), 0) << "root may list every folder";
        }
    }
    void TearDown() override
    {
        ASSERT_EQ(::seteuid(user_), 0);
        ::prctl(PR_SET_DUMPABLE, 1);  // which a change of the user takes away, and a search for leaks needs
        fs::permissions(at("in/closed"), fs::perms::owner_all);
    }

private:
    const ::uid_t user_ = ::geteuid();
};

TEST_F(ClosedFolder, ThatIsNamedFailsAloneAsAFileDoes)
{
    request_.inputs = {at("in"), at("in/closed")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png", "in/closed"));
    request_.inputs = {at("in/closed")};
    EXPECT_THAT(message_of<NoInput>([&] { (void)listed(); }),
                AllOf(HasSubstr("in/closed"), HasSubstr("cannot be listed")));
}

TEST_F(ClosedFolder, BelowAPatternIsAWarning)
{
    request_.inputs = {at("in/**/*.png")};
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
    request_.whole = true;
    const std::string error = message_of<InputError>([&] { (void)listed(); });
    EXPECT_THAT(warnings_->texts, ElementsAre(AllOf(HasSubstr("in/closed"), HasSubstr("cannot be listed"))));
    EXPECT_THAT(error, AllOf(HasSubstr("in/closed"), HasSubstr("cannot be listed")));
}

TEST_F(Listing, DoesNotFollowLinksToFoldersInCircles)
{
    file("in/a.png");
    fs::create_directory_symlink(at("in"), at("in/loop"));
    request_.inputs = {at("in")};
    request_.recursive = true;
    EXPECT_THAT(listed(), ElementsAre("in/a.png"));
}

TEST_F(Listing, FilesFromHasOneInputALine)
{
    const std::atomic<int> never = 0;
    EXPECT_THAT(lines_of(file("list.txt", "a.png\r\n\n b.png\n# no comment"), never),
                ElementsAre("a.png", " b.png", "# no comment"));
    EXPECT_THAT(lines_of(file("none.txt", ""), never), IsEmpty());
    EXPECT_THAT(message_of<NoInput>([&] { (void)lines_of(at("gone.txt"), never); }), HasSubstr("gone.txt"));
}

}  // namespace
}  // namespace clconv
