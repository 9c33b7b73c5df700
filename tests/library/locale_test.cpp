// SPDX-License-Identifier: Apache-2.0
// Options of the library in programs whose numbers have a decimal comma.

#include "files/temporary_folder.h"
#include "library/support.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace clconv::test {
namespace {

constexpr Extent kSmall{13, 9};

using Locales = InATemporaryFolder;

/// A locale "comma" with a decimal comma, in `folder`. Debian's localedef needs no other package for one of its own.
void make_comma_locale(const std::filesystem::path& folder)
{
    std::ofstream(folder / "characters") << "<code_set_name> COMMA\n<mb_cur_min> 1\n<mb_cur_max> 1\nCHARMAP\n"
                                            "<U002C> \\x2c COMMA\n<U002E> \\x2e FULL STOP\nEND CHARMAP\n";
    std::ofstream(folder / "numbers") << "LC_NUMERIC\ndecimal_point \"<U002C>\"\nthousands_sep \"<U002E>\"\n"
                                         "grouping 3;3\nEND LC_NUMERIC\n";
    const std::string at = folder.string() + "/";
    const std::string command =
        "localedef -c -i " + at + "numbers -f " + at + "characters " + at + "comma >/dev/null 2>&1";
    (void)std::system(command.c_str());  // NOLINT(cert-env33-c): its status is 1 for categories that are missing
}

TEST_F(Locales, OptionsHaveADecimalPoint)
{
    make_comma_locale(folder_);
    ::setenv("LOCPATH", folder_.c_str(), 1);                     // NOLINT(concurrency-mt-unsafe)
    const std::string before = std::setlocale(LC_ALL, nullptr);  // NOLINT(concurrency-mt-unsafe)
    ASSERT_NE(std::setlocale(LC_NUMERIC, "comma"), nullptr);     // NOLINT(concurrency-mt-unsafe)
    EXPECT_EQ(std::strtod("0,5", nullptr), 0.5);
    Samples image = random_samples(api::SampleType::float32, kSmall, 1);
    Samples result = empty(api::SampleType::float32, kSmall, 1);
    const api::Options options{{"mix", 0.25}, {"bias", "1.5"}};
    EXPECT_NO_THROW(api::convolve(device(), image.view(), result.view(), api::Psf("box:1"), options));
    EXPECT_EQ(std::strtod("0,5", nullptr), 0.5) << "the program's locale stays";
    std::setlocale(LC_ALL, before.c_str());  // NOLINT(concurrency-mt-unsafe)
    ::unsetenv("LOCPATH");                   // NOLINT(concurrency-mt-unsafe)
    read_values(result);
    for (double& value : image.values) value += 1.5;
    EXPECT_LE(largest_difference(result.values, image.values), 4e-6);
}

}  // namespace
}  // namespace clconv::test
