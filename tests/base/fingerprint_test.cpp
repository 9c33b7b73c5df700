// SPDX-License-Identifier: Apache-2.0
// Fingerprints are those of the published algorithm, so that records keep their names on every machine.

#include "base/fingerprint.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

TEST(Fingerprint, HasTheValuesOfTheAlgorithmsTestVectors)
{
    EXPECT_EQ(fingerprint(""), 0xcbf29ce484222325u);
    EXPECT_EQ(fingerprint("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(fingerprint("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace clconv
