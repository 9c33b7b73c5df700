// SPDX-License-Identifier: Apache-2.0
#include "base/cache_folder.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

namespace clconv::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ACacheFolder : public testing::Test {
protected:
    ACacheFolder()
    {
        std::string name = (fs::temp_directory_path() / "clconv-cache-XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    ~ACacheFolder() override
    {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

    /// Every file below the root, hidden ones too.
    [[nodiscard]] std::size_t files() const
    {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(root_)) count += entry.is_regular_file();
        return count;
    }

    void grow_old(const std::string& name) const
    {
        fs::last_write_time(root_ / name, fs::file_time_type::clock::now() - 100h);
    }

    fs::path root_;
};

TEST_F(ACacheFolder, GivesBackWhatItWasGiven)
{
    const CacheFolder folder = CacheFolder(root_ / "not" / "yet").below("there");
    EXPECT_FALSE(folder.read("key"));
    EXPECT_FALSE(fs::exists(root_ / "not"));
    const std::string bytes("with\0zero", 9);
    EXPECT_TRUE(folder.write("key", bytes));
    EXPECT_EQ(folder.read("key"), bytes);
    EXPECT_TRUE(folder.write("key", "newer"));
    EXPECT_TRUE(folder.write("empty", ""));
    EXPECT_EQ(folder.read("key"), "newer");
    EXPECT_EQ(folder.read("empty"), "");
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"empty", "key"}));
    EXPECT_TRUE(folder.remove("key"));
    EXPECT_FALSE(folder.remove("key"));
    EXPECT_EQ(folder.names(), (std::vector<std::string>{"empty"}));
}

TEST_F(ACacheFolder, ThatIsNowhereKeepsNothing)
{
    const CacheFolder nowhere;
    EXPECT_FALSE(nowhere.make());
    EXPECT_FALSE(nowhere.write("key", "bytes"));
    EXPECT_FALSE(nowhere.read("key"));
    EXPECT_FALSE(nowhere.below("deeper").write("key", "bytes"));
    EXPECT_TRUE(nowhere.below("deeper").path().empty());
    EXPECT_TRUE(nowhere.names().empty());
    EXPECT_FALSE(nowhere.remove("key"));
    nowhere.touch("key");
    nowhere.remove_unused(0h);
}

TEST_F(ACacheFolder, ThatCannotBeMadeKeepsNothing)
{
    std::ofstream(root_ / "file") << "in the way";
    const CacheFolder folder(root_ / "file" / "below");
    EXPECT_FALSE(folder.make());
    EXPECT_FALSE(folder.write("key", "bytes"));
    EXPECT_FALSE(folder.read("key"));
    EXPECT_TRUE(folder.names().empty());
}

TEST_F(ACacheFolder, LeavesNothingBehindWhenTheNameIsTaken)
{
    fs::create_directories(root_ / "key" / "full");
    EXPECT_FALSE(CacheFolder(root_).write("key", "bytes"));
    EXPECT_FALSE(CacheFolder(root_).read("key"));
    EXPECT_EQ(files(), 0u);
}

TEST_F(ACacheFolder, ThatMayOnlyBeReadIsRead)
{
    const CacheFolder folder(root_);
    const bool is_root = geteuid() == 0;  // root may write everywhere except on a read-only disk
    if (is_root && mount("tmpfs", root_.c_str(), "tmpfs", 0, "") != 0) GTEST_SKIP() << "no tmpfs can be mounted here";
    ASSERT_TRUE(folder.write("key", "bytes"));
    if (is_root)
        ASSERT_EQ(mount("", root_.c_str(), "", MS_REMOUNT | MS_RDONLY, ""), 0);
    else
        fs::permissions(root_, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_FALSE(folder.write("other", "bytes"));
    EXPECT_EQ(folder.read("key"), "bytes");
    EXPECT_EQ(files(), 1u);
    folder.touch("key");
    folder.remove_unused(std::chrono::hours(0));
    EXPECT_EQ(folder.read("key"), "bytes");
    if (is_root)
        EXPECT_EQ(umount(root_.c_str()), 0);
    else
        fs::permissions(root_, fs::perms::owner_all);
}

TEST_F(ACacheFolder, OnAFullDiskLeavesNothingBehind)
{
    if (mount("tmpfs", root_.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "no tmpfs can be mounted here";
    const CacheFolder folder(root_);
    EXPECT_FALSE(folder.write("large", std::string(1 << 20, 'x')));
    EXPECT_EQ(files(), 0u);
    EXPECT_TRUE(folder.write("small", "bytes"));
    EXPECT_EQ(umount(root_.c_str()), 0);
}

TEST_F(ACacheFolder, ShowsNoReaderHalfAFile)
{
    const CacheFolder folder(root_);
    const std::string one(300'000, '1');
    const std::string two(200'000, '2');
    ASSERT_TRUE(folder.write("key", one));
    std::jthread writer([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) (void)(folder.write("key", two) && folder.write("key", one));
    });
    for (int i = 0; i < 200; ++i) {
        const auto found = folder.read("key");
        ASSERT_TRUE(found == one || found == two);
    }
}

TEST_F(ACacheFolder, ForgetsWhatWasNotUsedForLong)
{
    const CacheFolder folder(root_);
    const char* const old = "0123456789abcdef.bin";
    const char* const used = "0123456789abcdef.txt";
    const char* const fresh = "fedcba9876543210.bin";
    for (const char* name : {old, used, fresh, ".writing-1-0"}) ASSERT_TRUE(folder.write(name, "bytes"));
    for (const char* name : {old, used, ".writing-1-0"}) grow_old(name);
    folder.touch(used);
    folder.remove_unused(50h);
    EXPECT_EQ(folder.names(), (std::vector<std::string>{used, fresh}));
    EXPECT_EQ(files(), 2u);
}

TEST_F(ACacheFolder, RemovesFilesWhoseNamesTellWhatTheyHold)
{
    const CacheFolder folder(root_);
    for (const char* what : {"rows-2048-8.16.16-u8x3", "", "Rows (rows.cl) / ../..", "clconv-"}) {
        const std::string name = CacheFolder::own_name(what, 0x123456789abcdef);
        EXPECT_TRUE(CacheFolder::is_own_name(name)) << name;
        ASSERT_TRUE(folder.write(name, "bytes")) << name;
        grow_old(name);
    }
    folder.remove_unused(50h);
    EXPECT_EQ(files(), 0u);
}

TEST_F(ACacheFolder, HasNamesThatFileSystemsTake)
{
    EXPECT_EQ(CacheFolder::own_name("Rows-8.8", 0xfeu), "clconv-rows-8.8-00000000000000fe.bin");
    EXPECT_LE(CacheFolder::own_name(std::string(1000, 'x'), 1).size(), 240u);
    EXPECT_EQ(CacheFolder::own_name("a/b", 1).find('/'), std::string::npos);
}

TEST_F(ACacheFolder, RemovesNoFileThatMayBeSomebodyElses)
{
    const CacheFolder folder(root_);
    const std::vector<std::string> names = {"thesis.tex",
                                            "0123456789abcdef.jpg",
                                            "0123456789ABCDEF.bin",
                                            "0123456789abcde.bin",
                                            "notes.txt",
                                            ".writing-a-draft",
                                            ".writing-1-0.backup",
                                            "0123456789abcdef",
                                            "10123456789abcdef.bin",
                                            "clconv-notes.bin",
                                            "rows-0123456789abcdef.bin",
                                            "clconv-my rows-0123456789abcdef.bin",
                                            "clconv-rows-0123456789abcdef.txt",
                                            "clconv-rows-0123456789abcdef.bin.old"};
    for (const std::string& name : names) {
        ASSERT_TRUE(folder.write(name, "bytes"));
        grow_old(name);
    }
    folder.remove_unused(50h);
    EXPECT_EQ(files(), names.size());
}

TEST_F(ACacheFolder, IsForItsOwnerAlone)
{
    const CacheFolder folder = CacheFolder(root_ / "new").below("programs");
    ASSERT_TRUE(folder.write("key", "bytes"));
    EXPECT_EQ(fs::status(root_ / "new").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(root_ / "new/programs").permissions(), fs::perms::owner_all);
    EXPECT_EQ(fs::status(root_ / "new/programs/key").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(ACacheFolder, ThatOthersCanWriteToIsNotBelieved)
{
    const CacheFolder folder = CacheFolder(root_ / "shared").below("programs");
    ASSERT_TRUE(folder.write("key", "bytes"));
    EXPECT_EQ(folder.distrust(), "");
    for (const char* place : {"shared", "shared/programs"})
        for (const fs::perms others : {fs::perms::others_write, fs::perms::group_write}) {
            fs::permissions(root_ / place, others, fs::perm_options::add);
            EXPECT_NE(folder.distrust().find((root_ / place).string() + " can be written by others"),
                      std::string::npos);
            EXPECT_FALSE(folder.read("key"));
            fs::permissions(root_ / place, others, fs::perm_options::remove);
            EXPECT_EQ(folder.read("key"), "bytes");
        }
    fs::permissions(root_ / "shared/programs/key", fs::perms::others_write, fs::perm_options::add);
    EXPECT_FALSE(folder.read("key"));
}

TEST_F(ACacheFolder, ThatALinkLeadsToIsBelievedIfItIsOurs)
{
    const CacheFolder real(root_ / "real");
    ASSERT_TRUE(real.write("key", "bytes"));
    fs::create_directory_symlink(root_ / "real", root_ / "link");
    const CacheFolder linked(root_ / "link");
    EXPECT_EQ(linked.read("key"), "bytes");
    fs::permissions(root_ / "real", fs::perms::others_write, fs::perm_options::add);
    EXPECT_FALSE(linked.read("key"));
}

TEST_F(ACacheFolder, OfAnotherUserIsNotBelieved)
{
    const CacheFolder folder(root_ / "theirs");
    ASSERT_TRUE(folder.write("key", "bytes"));
    if (chown((root_ / "theirs").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root can give a folder away";
    EXPECT_NE(folder.distrust().find("belongs to user 12345"), std::string::npos);
    EXPECT_FALSE(folder.read("key"));
}

/// Sets variables of the environment for one test.
class TheUsersCacheFolder : public testing::Test {
protected:
    TheUsersCacheFolder()
    {
        for (Variable& variable : variables_)
            if (const char* const value = std::getenv(variable.name)) variable.before = value;
    }
    ~TheUsersCacheFolder() override
    {
        for (const Variable& variable : variables_)
            set(variable.name, variable.before ? variable.before->c_str() : nullptr);
    }
    static void set(const char* name, const char* value)
    {
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
    }
    static void set_all(const char* own, const char* xdg, const char* home)
    {
        set("CLCONV_CACHE_DIR", own);
        set("XDG_CACHE_HOME", xdg);
        set("HOME", home);
    }

private:
    struct Variable {
        const char* name;
        std::optional<std::string> before;
    };
    std::vector<Variable> variables_ = {{"CLCONV_CACHE_DIR", {}}, {"XDG_CACHE_HOME", {}}, {"HOME", {}}};
};

TEST_F(TheUsersCacheFolder, IsTheFirstThatIsSet)
{
    set_all("/own", "/xdg", "/home/user");
    EXPECT_EQ(CacheFolder::of_user().path(), "/own");
    set_all("", "/xdg", "/home/user");
    EXPECT_EQ(CacheFolder::of_user().path(), "/xdg/clconv");
    set_all(nullptr, nullptr, "/home/user");
    EXPECT_EQ(CacheFolder::of_user().path(), "/home/user/.cache/clconv");
    set_all(nullptr, nullptr, nullptr);
    EXPECT_EQ(CacheFolder::of_user().path(), "");
}

TEST_F(TheUsersCacheFolder, IsNoXdgFolderThatIsNotAbsolute)
{
    set_all(nullptr, "relative", "/home/user");
    EXPECT_EQ(CacheFolder::of_user().path(), "/home/user/.cache/clconv");
}

}  // namespace
}  // namespace clconv::test
