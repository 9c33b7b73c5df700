// SPDX-License-Identifier: Apache-2.0
#include "base/temporary_file.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace clconv {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class Temporaries : public testing::Test {
protected:
    Temporaries()
    {
        std::string name = (fs::temp_directory_path() / "clconv-base-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~Temporaries() override { fs::remove_all(folder_); }

    [[nodiscard]] std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        return names;
    }

    /// Another process begins to write `name` and dies.
    void abandon(const std::string& name) const
    {
        const pid_t child = fork();
        if (child == 0) {
            const TemporaryFile file(folder_ / name);
            _exit(0);  // runs no destructor
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0);
    }

    fs::path folder_;
};

TEST_F(Temporaries, OfADeadProcessAreRemoved)
{
    abandon("photo.png");
    abandon("photo.png");
    abandon(std::string(240, 'x') + ".exr");
    EXPECT_EQ(files().size(), 3U);
    EXPECT_EQ(remove_abandoned_temporaries(folder_), 3U);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Temporaries, OfALivingProcessStay)
{
    TemporaryFile file(folder_ / "photo.png");
    EXPECT_EQ(remove_abandoned_temporaries(folder_), 0U);
    file.commit();
    EXPECT_THAT(files(), ElementsAre("photo.png"));
}

TEST_F(Temporaries, ReplaceOnlyWhatMayBeReplaced)
{
    std::ofstream(folder_ / "photo.png") << "precious";
    {
        TemporaryFile file(folder_ / "photo.png");
        EXPECT_THROW(file.commit(Existing::refuse), OutputExists);
        EXPECT_THROW(file.commit(Existing::skip), OutputExists);
    }
    EXPECT_THAT(files(), ElementsAre("photo.png"));
    EXPECT_EQ(fs::file_size(folder_ / "photo.png"), std::string("precious").size());
    TemporaryFile(folder_ / "photo.png").commit(Existing::overwrite);
    EXPECT_EQ(fs::file_size(folder_ / "photo.png"), 0U);
    TemporaryFile(folder_ / "new.png").commit(Existing::refuse);
    EXPECT_THAT(files(), UnorderedElementsAre("photo.png", "new.png"));
}

TEST_F(Temporaries, AreGoneUnlessTheyAreComplete)
{
    EXPECT_THROW(
        {
            const TemporaryFile file(folder_ / "photo.png");
            throw std::runtime_error("the disk is full");
        },
        std::runtime_error);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Temporaries, OfAProcessAreNotThoseOfOneWhoseNumberBeginsAlike)
{
    abandon("photo.png");
    const std::string name = files().front();
    const std::size_t end = name.rfind('-');
    const std::string process = name.substr(name.rfind('-', end - 1) + 1, end - 1 - name.rfind('-', end - 1));
    const auto other = static_cast<int>(std::stol(process) / 10);
    remove_temporaries_of(other, folder_);
    EXPECT_THAT(files(), ElementsAre(name));
    remove_temporaries_of(std::stoi(process), folder_);
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Temporaries, OfOtherHostsAndFilesOfOtherNamesStay)
{
    abandon("photo.png");
    const std::string ours = files().front();
    const std::size_t mark = ours.find(".clconv-");
    std::string foreign = ours;
    foreign.insert(mark + 8, "other_");
    fs::rename(folder_ / ours, folder_ / foreign);
    std::ofstream(folder_ / "a.clconv-notes.tmp.png") << "visible";
    std::ofstream(folder_ / ".hidden.png") << "hidden";
    EXPECT_EQ(remove_abandoned_temporaries(folder_), 0U);
    EXPECT_EQ(files().size(), 3U);
}

TEST_F(Temporaries, OfNoFolderAreNone) { EXPECT_EQ(remove_abandoned_temporaries(folder_ / "nowhere"), 0U); }

TEST_F(Temporaries, KeepTheExtensionAndAreHidden)
{
    const TemporaryFile file(folder_ / "photo.png");
    EXPECT_EQ(file.path().extension(), ".png");
    EXPECT_THAT(file.path().filename().string(), HasSubstr(".photo.clconv-"));
}

}  // namespace
}  // namespace clconv
