#include "batch/psf_set.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

std::shared_ptr<const Psf> point() { return std::make_shared<const Psf>(Psf{"point", {1, 1}, 1, {0, 0}, {1}}); }

TEST(PsfSet, GivesWhatItWasGivenWhereSizesDoNotMatter)
{
    const PsfSet set({point(), point()});
    EXPECT_EQ(set.of(1, {10, 20}), set.all()[1]);
    EXPECT_EQ(set.of(1, {30, 40}), set.all()[1]);
}

TEST(PsfSet, MakesOnePsfForEachHeight)
{
    int made = 0;
    const PsfSet set({point(), point()}, [&](const Psf& psf, int height) {
        ++made;
        Psf result = psf;
        result.weights[0] = height;
        return result;
    });
    const auto psf = set.of(0, {10, 20});
    EXPECT_EQ(psf->weights[0], 20);
    EXPECT_EQ(set.of(0, {99, 20}), psf);
    EXPECT_NE(set.of(1, {10, 20}), psf);
    EXPECT_EQ(made, 2);
}

TEST(PsfSet, ForgetsWhatWasNotUsedForLong)
{
    const PsfSet set({point()}, [](const Psf& psf, int /*height*/) { return psf; });
    const std::weak_ptr<const Psf> first = set.of(0, {1, 1});
    const std::weak_ptr<const Psf> used = set.of(0, {1, 2});
    for (int height = 3; height < 200; ++height) {
        (void)set.of(0, {1, height});
        (void)set.of(0, {1, 2});
    }
    EXPECT_TRUE(first.expired());
    EXPECT_FALSE(used.expired());
}

}  // namespace
}  // namespace clconv
