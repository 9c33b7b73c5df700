// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace clconv::test {
namespace {

TEST(Bytes, BeginOnAPage)
{
    for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u}) {
        const Bytes bytes(size);
        EXPECT_EQ(bytes.size(), size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % Bytes::kAlignment, 0u);
    }
}

TEST(Bytes, CountWholeElements)
{
    Bytes bytes(10);
    EXPECT_EQ(bytes.as<float>().size(), 2u);
    EXPECT_EQ(bytes.as<std::uint8_t>().size(), 10u);
}

TEST(Bytes, MoveWithoutACopy)
{
    Bytes bytes(16);
    bytes.as<float>()[3] = 2.5f;
    const std::byte* const place = bytes.data();
    const Bytes moved = std::move(bytes);
    EXPECT_EQ(moved.data(), place);
    EXPECT_EQ(moved.as<float>()[3], 2.5f);
}

}  // namespace
}  // namespace clconv::test
