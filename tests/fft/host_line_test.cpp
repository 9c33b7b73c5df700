// SPDX-License-Identifier: Apache-2.0
#include "fft/host_line.h"

#include "base/errors.h"
#include "fft/reference_dft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace clconv {
namespace {

class HostLines : public ::testing::TestWithParam<int> {};

TEST_P(HostLines, AreTheTransformByItsDefinition)
{
    std::mt19937 random(GetParam());
    std::normal_distribution<double> noise;
    std::vector<std::complex<double>> line(GetParam());
    for (auto& value : line) value = {noise(random), noise(random)};
    const auto expected = reference_dft(line, Direction::forward);
    HostLine transform(GetParam());
    transform.forward(line);
    double error = 0;
    for (std::size_t k = 0; k < line.size(); ++k) error = std::max(error, std::abs(line[k] - expected[k]));
    // Both round each of log2(N) additions.
    EXPECT_LT(error, 1e-14 * GetParam());
}

INSTANTIATE_TEST_SUITE_P(Lengths, HostLines, ::testing::Values(1, 2, 3, 4, 5, 6, 8, 15, 60, 64, 128, 225, 1024));

TEST(HostLine, RefusesLengthsThatItHasNoRadicesFor) { EXPECT_THROW(HostLine(14), InvalidProblem); }

}  // namespace
}  // namespace clconv
