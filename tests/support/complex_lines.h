// SPDX-License-Identifier: Apache-2.0
// Random complex lines, and how far two of them are apart.
#pragma once

#include <cmath>
#include <complex>
#include <random>
#include <span>
#include <vector>

namespace clconv::test {

/// Values of which both parts are floats in [-1, 1): the same numbers in float and in double.
inline std::vector<std::complex<double>> random_line(std::size_t length, unsigned seed)
{
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<std::complex<double>> line(length);
    for (auto& value : line) {
        const double re = uniform(engine);
        value = {re, uniform(engine)};
    }
    return line;
}

/// Relative L2 distance.
template <class T>
double distance(std::span<const std::complex<T>> result, std::span<const std::complex<double>> reference)
{
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        error += std::norm(std::complex<double>(result[i]) - reference[i]);
        norm += std::norm(reference[i]);
    }
    return std::sqrt(error / norm);
}

}  // namespace clconv::test
