// SPDX-License-Identifier: Apache-2.0
#include "opencl/program_file.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

namespace clconv::test {
namespace {

using testing::StartsWith;

ProgramIdentity example()
{
    return ProgramIdentity{"platform", "device", "driver", "OpenCL 1.2", "-w", "__kernel void f() {}\n"};
}

std::string identity() { return identity_text(example()); }

TEST(ProgramFile, GivesBackItsBinary)
{
    for (const std::string& binary : {std::string(), std::string("\x7f\0\n binary", 10), std::string(100'000, 'x')})
        EXPECT_EQ(unpacked_program(identity(), packed_program(identity(), binary)), binary);
}

TEST(ProgramFile, IsOneOfOneIdentity)
{
    std::vector<ProgramIdentity> others(8, example());
    others[0].platform = "Platform";
    others[1].device += "2";
    others[2].driver.clear();
    others[3].version = "OpenCL 3.0";
    others[4].options += " -g";
    others[5].source[0] = ' ';
    others[6].options = "-w\n";  // a character that moves from one part to the next makes another identity, too
    others[7].options = "";
    others[7].source = "-w" + others[7].source;
    const std::string file = packed_program(identity(), "binary");
    std::set<std::string> names{program_file_name("rows-8-8", identity())};
    for (const ProgramIdentity& other : others) {
        EXPECT_FALSE(unpacked_program(identity_text(other), file));
        EXPECT_TRUE(names.insert(program_file_name("rows-8-8", identity_text(other))).second);
    }
}

TEST(ProgramFile, TellsTheFirstWordOfItsProgramsName)
{
    EXPECT_THAT(program_file_name("rows-8-8-u8x3 (rows.cl)", identity()), StartsWith("clconv-rows-8-8-u8x3-"));
}

TEST(ProgramFile, ThatIsTornIsNotUsed)
{
    const std::string file = packed_program(identity(), "binary");
    for (std::size_t length = 0; length < file.size(); ++length)
        EXPECT_FALSE(unpacked_program(identity(), file.substr(0, length))) << length;
    EXPECT_FALSE(unpacked_program(identity(), file + "x"));
}

TEST(ProgramFile, ThatIsDamagedIsNotUsed)
{
    const std::string file = packed_program(identity(), "binary");
    for (std::size_t at = 0; at < file.size(); ++at) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        EXPECT_FALSE(unpacked_program(identity(), damaged)) << at;
    }
}

TEST(ProgramFile, OfAnotherVersionIsNotUsed)
{
    std::string file = packed_program(identity(), "binary");
    ASSERT_EQ(file.substr(0, 17), "clconv program 1:");
    file[15] = '2';
    EXPECT_FALSE(unpacked_program(identity(), file));
}

}  // namespace
}  // namespace clconv::test
