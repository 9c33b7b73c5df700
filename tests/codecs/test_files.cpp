// SPDX-License-Identifier: Apache-2.0
#include "test_files.h"

#include "codecs/codec_library.h"

#include "image/samples.h"

#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <random>

namespace clconv::testing {

namespace fs = std::filesystem;

ImageFile::ImageFile()
{
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(info->test_suite_name()) + "." + info->name();
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = fs::temp_directory_path() / ("clconv-" + std::to_string(::getpid()) + "-" + name);
    fs::create_directories(folder_);
}

ImageFile::~ImageFile()
{
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

std::vector<std::string> ImageFile::files() const
{
    std::vector<std::string> result;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
        result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
}

Image test_image(Extent extent, int channels, SampleType type)
{
    const bool has_alpha = channels == 2 || channels == 4;
    std::mt19937 random(20240229);
    std::uniform_real_distribution<float> noise(-0.05F, 0.05F);
    std::vector<float> samples;
    for (int y = 0; y < extent.height; ++y)
        for (int x = 0; x < extent.width; ++x) {
            const float wave = 0.5F + 0.4F * std::sin(0.07F * static_cast<float>(x) + 0.05F * static_cast<float>(y));
            const float alpha = has_alpha ? 0.25F + 0.75F * wave : 1.0F;
            for (int channel = 0; channel < channels; ++channel) {
                const bool is_alpha = has_alpha && channel == channels - 1;
                const float colour = wave * (1.0F - 0.2F * static_cast<float>(channel)) + noise(random);
                samples.push_back(is_alpha ? alpha : std::clamp(colour, 0.0F, 1.0F) * alpha);
            }
        }
    Image image;
    image.extent = extent;
    image.channels = channels;
    image.alpha_channel = has_alpha ? channels - 1 : -1;
    image.type = type;
    image.stored_type = file_type_of(type);
    image.samples = from_float(samples, type);
    return image;
}

std::vector<float> values(const Image& image)
{
    const Bytes floats = to_float(image.view());
    const std::span<const float> all = floats.as<float>();
    return {all.begin(), all.end()};
}

float largest_difference(const Image& a, const Image& b)
{
    const std::vector<float> first = values(a);
    const std::vector<float> second = values(b);
    if (first.size() != second.size()) return INFINITY;
    float largest = 0;
    for (std::size_t i = 0; i < first.size(); ++i) largest = std::max(largest, std::abs(first[i] - second[i]));
    return largest;
}

void write_with_library(const fs::path& path, const OIIO::ImageSpec& header, const std::vector<unsigned char>& samples)
{
    static_cast<void>(oiio::codec_library().create_output("png"));  // which sets the library's options
    const auto output = OIIO::ImageOutput::create(path.string());
    ASSERT_TRUE(output) << OIIO::geterror();
    ASSERT_TRUE(output->open(path.string(), header)) << output->geterror();
    ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, samples.data())) << output->geterror();
    ASSERT_TRUE(output->close()) << output->geterror();
}

OIIO::ImageSpec header_of(const fs::path& path)
{
    const auto input = OIIO::ImageInput::open(path.string());
    if (!input) {
        ADD_FAILURE() << path << ": " << OIIO::geterror();
        return {};
    }
    return input->spec();
}

void truncate(const fs::path& path, double fraction)
{
    fs::resize_file(path, static_cast<std::uintmax_t>(static_cast<double>(fs::file_size(path)) * fraction));
}

}  // namespace clconv::testing
