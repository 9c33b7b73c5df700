// SPDX-License-Identifier: Apache-2.0
#include "bench/suites.h"

namespace clconv {
namespace {

struct Size {
    Extent image;
    int channels;
    int psf;
};

constexpr Size kStandard[] = {{{1024, 1024}, 1, 63}, {{1024, 1024}, 3, 63},  {{2048, 2048}, 3, 255},
                              {{3840, 2160}, 3, 63}, {{3840, 2160}, 3, 511}, {{6000, 4000}, 3, 127},
                              {{7680, 4320}, 3, 255}};

constexpr Size kPlanes[] = {{{1024, 1024}, 1, 15}, {{1024, 1024}, 1, 63},  {{1024, 1024}, 1, 255},
                            {{2048, 2048}, 1, 63}, {{2048, 2048}, 1, 255}, {{3840, 2160}, 1, 15},
                            {{3840, 2160}, 1, 63}, {{3840, 2160}, 1, 255}, {{6000, 4000}, 1, 63},
                            {{6000, 4000}, 1, 511}};

template <std::size_t n>
std::vector<Problem> suite(const Problem& base, const Size (&sizes)[n])
{
    std::vector<Problem> problems;
    for (const Size& size : sizes) problems.push_back(resized(base, size.image, size.channels, {size.psf, size.psf}));
    return problems;
}

}  // namespace

std::vector<Problem> standard_suite(const Problem& base) { return suite(base, kStandard); }
std::vector<Problem> plane_suite(const Problem& base) { return suite(base, kPlanes); }

Problem resized(Problem base, Extent image, int channels, Extent psf)
{
    base.image = image;
    base.channels = channels;
    base.psf = psf;
    base.origin = {psf.width / 2, psf.height / 2};
    return base;
}

}  // namespace clconv
