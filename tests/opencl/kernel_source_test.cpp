// SPDX-License-Identifier: Apache-2.0
// Putting the text of kernels together.

#include "opencl/kernel_source.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace clconv::test {
namespace {

using testing::HasSubstr;

KernelSource sources() { return KernelSource::embedded(); }

template <class Failure, class Action>
std::string message_of(Action action)
{
    try {
        action();
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "nothing was thrown";
}

/// A folder that goes when the test ends.
class Folder {
public:
    Folder() : path_(std::filesystem::temp_directory_path() / ("clconv-test-" + std::to_string(std::random_device{}())))
    {
        std::filesystem::create_directory(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

TEST(KernelSource, AnIncludedFileTakesThePlaceOfItsInclude)
{
    const auto kernels = sources().with("a.cl", "one\n#include \"b.cl\"\ntwo\n").with("b.cl", "inner\n");
    EXPECT_EQ(kernels.expanded("a.cl"),
              "#line 1 \"a.cl\"\none\n"
              "#line 1 \"b.cl\"\ninner\n"
              "#line 3 \"a.cl\"\ntwo\n");
}

TEST(KernelSource, AFileIsIncludedAsOftenAsItSays)
{
    const auto kernels = sources().with("a.cl", "#include \"b.cl\"\n#include \"b.cl\"\n").with("b.cl", "stage\n");
    const std::string text = kernels.expanded("a.cl");
    const std::size_t first = text.find("stage\n");
    ASSERT_NE(first, std::string::npos);
    EXPECT_NE(text.find("stage\n", first + 1), std::string::npos);
}

TEST(KernelSource, AFileThatSaysOnceIsIncludedOnce)
{
    const auto kernels = sources()
                             .with("a.cl", "#include \"b.cl\"\n#include \"c.cl\"\n#include \"b.cl\"\nlast\n")
                             .with("b.cl", "first\n#pragma once\nb\n")
                             .with("c.cl", "#include \"b.cl\"\nc\n");
    EXPECT_EQ(kernels.expanded("a.cl"),
              "#line 1 \"a.cl\"\n"
              "#line 1 \"b.cl\"\nfirst\n\nb\n#line 2 \"a.cl\"\n"
              "#line 1 \"c.cl\"\n\nc\n#line 3 \"a.cl\"\n"
              "\nlast\n");
}

TEST(KernelSource, WhatACompilerMaySkipIsIncludedAgain)
{
    const auto kernels = sources()
                             .with("a.cl", "#if WANTED\n#include \"b.cl\"\n#endif\n#include \"b.cl\"\n")
                             .with("b.cl", "#pragma once\nhere\n");
    const std::string text = kernels.expanded("a.cl");
    EXPECT_NE(text.find("here"), text.rfind("here"));
}

TEST(KernelSource, IncludesReachAnyDepth)
{
    const auto kernels =
        sources().with("a.cl", "#include \"b.cl\"\n").with("b.cl", "#include \"c.cl\"\n").with("c.cl", "deep\n");
    EXPECT_THAT(kernels.expanded("a.cl"), HasSubstr("deep\n"));
}

TEST(KernelSource, AMissingFileIsNamed)
{
    const auto kernels = sources().with("a.cl", "#include \"gone.cl\"\n");
    EXPECT_THAT(message_of<InputError>([&] { (void)kernels.expanded("a.cl"); }), HasSubstr("gone.cl is missing"));
}

TEST(KernelSource, AnotherFileLeavesTheOriginalAlone)
{
    const auto kernels = sources();
    const auto more = kernels.with("complex.cl", "replaced\n");
    EXPECT_THAT(more.expanded("complex.cl"), HasSubstr("replaced"));
    EXPECT_THAT(kernels.expanded("complex.cl"), HasSubstr("typedef struct"));
}

TEST(KernelSource, TheEmbeddedKernelsAreThoseOfTheProgramsThatAreBuilt)
{
    for (const char* file : {"rows.cl", "columns.cl", "direct.cl", "transform.cl", "global_rows.cl",
                             "global_columns.cl", "global_stage.cl"})
        EXPECT_THAT(sources().expanded(file), HasSubstr("__kernel")) << file;
}

TEST(KernelSource, AnyEmbeddedFileHoldsAFileThatSaysOnceOnce)
{
    for (const std::string& file : sources().files()) {
        const std::string text = sources().expanded(file);
        const std::string begin = "#line 1 \"complex.cl\"\n";
        const std::size_t first = text.find(begin);
        if (file == "sizes.cl" || file == "lane_stages.cl" || file == "clamped.cl") continue;  // of the host, too
        if (file == "line_space.cl") continue;                                                 // a word alone
        ASSERT_NE(first, std::string::npos) << file;
        EXPECT_EQ(text.find(begin, first + 1), std::string::npos) << file;
    }
}

TEST(KernelSource, AFolderGivesItsClFilesAndNoOthers)
{
    const Folder folder;
    folder.write("a.cl", "from the folder\n");
    folder.write("notes.txt", "not a kernel\n");
    const auto kernels = KernelSource::from_folder(folder.path());
    EXPECT_THAT(kernels.expanded("a.cl"), HasSubstr("from the folder"));
    EXPECT_THAT(message_of<InputError>([&] { (void)kernels.expanded("notes.txt"); }), HasSubstr("notes.txt"));
    EXPECT_THAT(message_of<InputError>([&] { (void)kernels.expanded("rows.cl"); }), HasSubstr("rows.cl is missing"));
}

TEST(KernelSource, AFolderWithoutKernelsSaysWhatToGive)
{
    const Folder folder;
    const std::string message = message_of<InputError>([&] { (void)KernelSource::from_folder(folder.path()); });
    EXPECT_THAT(message, HasSubstr(folder.path().string()));
    EXPECT_THAT(message, HasSubstr("no .cl file"));
}

TEST(KernelSource, AFolderThatIsMissingIsNamed)
{
    const std::string message = message_of<InputError>([] { (void)KernelSource::from_folder("no/such/folder"); });
    EXPECT_THAT(message, HasSubstr("--kernel-dir no/such/folder"));
}

}  // namespace
}  // namespace clconv::test
