#include "bench/case.h"

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
std::vector<BenchCase> suite(const BenchCase& base, const Size (&sizes)[n])
{
    std::vector<BenchCase> cases;
    for (const Size& size : sizes) cases.push_back(resized(base, size.image, size.channels, {size.psf, size.psf}));
    return cases;
}

}  // namespace

std::vector<BenchCase> standard_suite(const BenchCase& base) { return suite(base, kStandard); }
std::vector<BenchCase> plane_suite(const BenchCase& base) { return suite(base, kPlanes); }

BenchCase resized(BenchCase base, Extent image, int channels, Extent psf)
{
    base.problem.image = image;
    base.problem.channels = channels;
    base.problem.psf = psf;
    base.problem.origin = {psf.width / 2, psf.height / 2};
    return base;
}

}  // namespace clconv
