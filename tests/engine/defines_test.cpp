#include "engine/defines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace clconv::test {
namespace {

TEST(Defines, AreOneALine)
{
    EXPECT_EQ(Defines().add("N", 12).add_lines("#define M 3\n").add("K", -1).text(),
              "#define N 12\n#define M 3\n#define K -1\n");
}

TEST(Defines, AScalarReadsBackExactly)
{
    for (const double value : {1.0 / 3, 0.25 / (4608.0 * 2688.0), 1e-30, 123456.789}) {
        const std::string text = Defines().add_scalar("SCALE", value, Precision::float32).text();
        EXPECT_EQ(std::strtof(text.c_str() + sizeof("#define SCALE"), nullptr), static_cast<float>(value)) << text;
        EXPECT_THAT(text, testing::EndsWith("f\n"));
        const std::string as_double = Defines().add_scalar("SCALE", value, Precision::float64).text();
        EXPECT_EQ(std::strtod(as_double.c_str() + sizeof("#define SCALE"), nullptr), value) << as_double;
    }
}

}  // namespace
}  // namespace clconv::test
