// SPDX-License-Identifier: Apache-2.0
#include "base/message.h"

#include <gtest/gtest.h>

namespace clconv {

struct Inner {
    std::string name;
    std::vector<std::string> words = {};
    friend bool operator==(const Inner&, const Inner&) = default;
};
CLCONV_FIELDS(Inner, name, words)

struct Secret {
    std::string text;
};

struct Outer {
    int number = 0;
    std::filesystem::path path = {};
    std::optional<double> some = {};
    std::optional<Inner> perhaps = {};
    std::shared_ptr<const Inner> shared = {};
    std::shared_ptr<const Secret> secret = {};
    std::vector<Inner> list = {};
};
CLCONV_FIELDS(Outer, number, path, some, perhaps, shared, secret, list)

template <>
inline constexpr bool kStaysInProcess<std::shared_ptr<const Secret>> = true;

namespace {

Outer sent(const Outer& value)
{
    MessageWriter writer;
    writer.put(value);
    return MessageReader(writer.bytes()).take<Outer>();
}

TEST(Messages, ValuesArriveAsTheyWereSent)
{
    const Inner inner{"inner", {"a", "", std::string("b\0c", 3)}};
    const Outer outer{7, "folder/file", 2.5, inner, std::make_shared<const Inner>(inner), {}, {inner, Inner{}}};
    const Outer again = sent(outer);
    EXPECT_EQ(again.number, 7);
    EXPECT_EQ(again.path, "folder/file");
    EXPECT_EQ(again.some, 2.5);
    EXPECT_EQ(again.perhaps, inner);
    ASSERT_TRUE(again.shared);
    EXPECT_EQ(*again.shared, inner);
    EXPECT_EQ(again.list, (std::vector<Inner>{inner, Inner{}}));
}

TEST(Messages, WhatHoldsNothingArrivesEmpty)
{
    const Outer again = sent(Outer{});
    EXPECT_FALSE(again.some);
    EXPECT_FALSE(again.perhaps);
    EXPECT_FALSE(again.shared);
    EXPECT_TRUE(again.list.empty());
}

TEST(Messages, TypesThatStayInTheirProcessAreNotSent)
{
    Outer outer;
    outer.secret = std::make_shared<const Secret>(Secret{"secret"});
    MessageWriter writer;
    writer.put(outer);
    EXPECT_EQ(writer.bytes().find("secret"), std::string::npos);
    EXPECT_FALSE(sent(outer).secret);
}

TEST(Messages, AMessageThatIsTooShortIsRefused)
{
    MessageWriter writer;
    writer.put(Outer{});
    const std::string bytes = writer.bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_THROW(static_cast<void>(MessageReader(std::string_view(bytes).substr(0, size)).take<Outer>()),
                     std::out_of_range);
}

}  // namespace
}  // namespace clconv
