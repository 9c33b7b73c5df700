// SPDX-License-Identifier: Apache-2.0
// Folders, images and damaged files for the tests of image files.
#pragma once

#include "base/errors.h"
#include "codecs/decoding.h"
#include "codecs/image_file.h"

#include <OpenImageIO/imageio.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace clconv::testing {

/// A folder that is empty when a test starts and gone when it ends.
class ImageFile : public ::testing::Test {
protected:
    ImageFile();
    ~ImageFile() override;

    [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
    /// The names of all files in the folder, hidden ones too.
    [[nodiscard]] std::vector<std::string> files() const;

private:
    std::filesystem::path folder_;
};

/// A smooth picture with noise: samples of all values, no two channels alike. Alpha is the last of 2 or 4 channels, and
/// the colours are associated. Not straight, no metadata.
[[nodiscard]] Image test_image(Extent extent, int channels, SampleType type);

/// The image's samples as floats.
[[nodiscard]] std::vector<float> values(const Image& image);

/// Largest absolute difference of any sample.
[[nodiscard]] float largest_difference(const Image& a, const Image& b);

/// Writes `samples` (u8, interleaved) with a header of the test's making, through the library and not through ours.
void write_with_library(const std::filesystem::path& path, const OIIO::ImageSpec& header,
                        const std::vector<unsigned char>& samples);

/// The header that the library reads, without any hint.
[[nodiscard]] OIIO::ImageSpec header_of(const std::filesystem::path& path);

/// Leaves the first `fraction` of the file.
void truncate(const std::filesystem::path& path, double fraction);

/// The message of the InputError that `act` throws; fails the test if it throws none.
template <class Act>
std::string input_error(Act&& act)
{
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    ADD_FAILURE() << "no InputError";
    return {};
}

}  // namespace clconv::testing
