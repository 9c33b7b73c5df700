// SPDX-License-Identifier: Apache-2.0
// A reader never sees half a file, and a failed write leaves nothing behind.
#include "base/temporary_file.h"
#include "codecs/test_files.h"
#include "encoders/parts_writer.h"
#include "encoders/row_writer.h"
#include "encoders/write_image.h"
#include "openimageio/conversions.h"
#include "support/file_size_limit.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstream>
#include <thread>

namespace clconv::testing {
namespace {

using test::FileSizeLimit;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FullDisk : public ImageFile, public ::testing::WithParamInterface<const char*> {};

TEST_P(FullDisk, IsAnInputErrorAndLeavesTheOldFileAlone)
{
    const std::string name = std::string("a.") + GetParam();
    const std::string whole = "whole-" + name;
    const Image image = test_image({96, 80}, 3, writable_type(name, SampleType::u8));
    write_image(path(whole), image);
    std::ofstream(path(name)) << "old";

    // One byte too few is what buffered writers overlook.
    const auto size = std::filesystem::file_size(path(whole));
    for (const std::uintmax_t room : {std::uintmax_t{0}, std::uintmax_t{100}, size / 2, size - 1}) {
        const FileSizeLimit limit(room);
        EXPECT_THAT(input_error([&] { write_image(path(name), image); }),
                    AllOf(HasSubstr(name + ": cannot be written: "), HasSubstr("File too large")))
            << room << " of " << size << " bytes";
    }
    EXPECT_EQ(std::filesystem::file_size(path(name)), 3U);
    EXPECT_THAT(files(), ElementsAre(name, whole));
}

INSTANTIATE_TEST_SUITE_P(Formats, FullDisk,
                         ::testing::Values("png", "jpg", "tif", "exr", "hdr", "bmp", "tga", "ppm", "webp"));

/// Attributes of a photograph: with them the TIFF writer goes over its file again.
std::shared_ptr<const Metadata> exif()
{
    OIIO::ImageSpec header(96, 80, 3, OIIO::TypeDesc::UINT8);
    header.attribute("Exif:FocalLength", 35.0F);
    return std::make_shared<Metadata>(oiio::header_of(header), "jpeg");
}

TEST_F(ImageFile, AFullDiskIsAnInputErrorForWritersThatOpenTheirFileThemselves)
{
    // A limit on file sizes would hold for files in memory too: this needs a disk that is full.
    std::filesystem::create_directory(path("disk"));
    if (::mount("tmpfs", path("disk").c_str(), "tmpfs", 0, "size=8k") != 0) GTEST_SKIP() << "may not mount";
    const Image image = test_image({96, 80}, 3, SampleType::u8);
    Image photograph = test_image({96, 80}, 3, SampleType::u8);
    photograph.metadata = exif();
    EXPECT_THAT(input_error([&] { write_image(path("disk/b.tif"), photograph); }),
                HasSubstr("No space left on device"));
    for (const char* name : {"disk/a.tif", "disk/a.sgi"})
        EXPECT_THAT(input_error([&] { write_image(path(name), image); }),
                    AllOf(HasSubstr(name), HasSubstr("No space left on device")));
    EXPECT_TRUE(std::filesystem::is_empty(path("disk")));
    EXPECT_EQ(::umount(path("disk").c_str()), 0);
}

TEST_F(ImageFile, AnOlderFileIsReplacedWholeAndNothingElseIsLeft)
{
    std::ofstream(path("a.png")) << "old";
    write_image(path("a.png"), test_image({8, 8}, 3, SampleType::u8));
    EXPECT_EQ(read_image(path("a.png")).extent, (Extent{8, 8}));
    EXPECT_THAT(files(), ElementsAre("a.png"));
}

TEST_F(ImageFile, AFileThatIsNotToBeReplacedStaysAtOnceByRowsAndAsPart)
{
    write_image(path("in.tif"), test_image({8, 8}, 3, SampleType::u8));
    const Image image = read_image(path("in.tif"));
    WriteOptions options;
    options.existing = Existing::refuse;
    std::ofstream(path("a.tif")) << "precious";
    EXPECT_THROW(write_image(path("a.tif"), image, options), OutputExists);
    RowWriter rows(path("a.tif"), without_samples(image), options);
    rows.write(image.samples.data(), 8);
    EXPECT_THROW(rows.finish(), OutputExists);
    std::vector<PartToWrite> part(1);
    part.front() = {without_samples(image), options};
    PartsWriter parts(path("a.tif"), part, {path("in.tif"), 1, {0}});
    parts.write(image);
    EXPECT_THROW(parts.finish(), OutputExists);
    EXPECT_EQ(std::filesystem::file_size(path("a.tif")), std::string_view("precious").size());
}

TEST_F(ImageFile, AMissingFolderIsNamedWithTheSystemsReason)
{
    EXPECT_THAT(input_error([&] {
                    write_image(path("no/a.png"), test_image({8, 8}, 3, SampleType::u8));
                }),
                AllOf(HasSubstr("no/a.png: cannot be written: "), HasSubstr("No such file or directory")));
}

TEST_F(ImageFile, AnUnwritableFolderIsNamedWithTheSystemsReason)
{
    const std::string locked = path("locked");
    std::filesystem::create_directory(locked);
    // What the permissions are is nothing to root, who may mount a folder that is read only.
    const bool is_root = ::geteuid() == 0;
    if (is_root && ::mount("tmpfs", locked.c_str(), "tmpfs", MS_RDONLY, "") != 0) GTEST_SKIP() << "may not mount";
    if (!is_root) std::filesystem::permissions(locked, std::filesystem::perms::owner_read);
    EXPECT_THAT(input_error([&] {
                    write_image(path("locked/a.png"), test_image({8, 8}, 3, SampleType::u8));
                }),
                HasSubstr(is_root ? "Read-only file system" : "Permission denied"));
    if (is_root)
        EXPECT_EQ(::umount(locked.c_str()), 0);
    else
        std::filesystem::permissions(locked, std::filesystem::perms::owner_all);
}

TEST_F(ImageFile, AFolderInTheOutputsPlaceIsAnInputError)
{
    std::filesystem::create_directory(path("a.png"));
    EXPECT_THAT(input_error([&] {
                    write_image(path("a.png"), test_image({8, 8}, 3, SampleType::u8));
                }),
                HasSubstr("a.png: cannot be written: "));
    EXPECT_THAT(files(), ElementsAre("a.png"));
}

TEST_F(ImageFile, OutputsHaveTheModeThatTheUmaskGives)
{
    const mode_t previous = ::umask(0027);
    write_image(path("a.png"), test_image({8, 8}, 3, SampleType::u8));
    write_image(path("a.tif"), test_image({8, 8}, 3, SampleType::u8));
    ::umask(previous);
    using std::filesystem::perms;
    for (const char* name : {"a.png", "a.tif"})
        EXPECT_EQ(std::filesystem::status(path(name)).permissions(),
                  perms::owner_read | perms::owner_write | perms::group_read);
}

TEST_F(ImageFile, TheLongestNameThatTheSystemTakesIsWritten)
{
    const std::string name = std::string(251, 'x') + ".png";
    write_image(path(name), test_image({8, 8}, 3, SampleType::u8));
    EXPECT_THAT(files(), ElementsAre(name));
}

TEST_F(ImageFile, ATemporaryNameIsHiddenAndKeepsTheExtension)
{
    const TemporaryFile file(path("photo.png"));
    const std::string name = file.path().filename().string();
    EXPECT_TRUE(name.starts_with(".photo.clconv-")) << name;
    EXPECT_NE(name.find("-" + std::to_string(::getpid()) + "-"), std::string::npos) << name;
    EXPECT_TRUE(name.ends_with(".tmp.png")) << name;
}

TEST_F(ImageFile, ThreadsReadAndWriteAtTheSameTime)
{
    const Image image = test_image({64, 64}, 3, SampleType::half);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (const char* extension : {"exr", "tif", "png"}) {
                const auto file = path(std::to_string(i) + "." + extension);
                write_image(file, image);
                EXPECT_EQ(read_image(file).extent, image.extent);
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(files().size(), 12U);
}

}  // namespace
}  // namespace clconv::testing
