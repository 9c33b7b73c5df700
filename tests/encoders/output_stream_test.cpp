// SPDX-License-Identifier: Apache-2.0
// The stream that the library's writers write to: the bytes land where they belong, in few calls of the system, and the
// first error is remembered.
#include "encoders/output_stream.h"
#include "codecs/test_files.h"
#include "support/file_size_limit.h"

#include <cerrno>
#include <fstream>
#include <iterator>

namespace clconv::testing {
namespace {

using oiio::OutputStream;

class OutputStreams : public ImageFile {
protected:
    /// An empty file.
    std::filesystem::path empty() const
    {
        std::ofstream(path("file")).flush();
        return path("file");
    }
    [[nodiscard]] std::string content() const
    {
        std::ifstream in(path("file"), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

/// Calls of write() and its relatives that this process made so far.
long writes_so_far()
{
    std::ifstream in("/proc/self/io");
    std::string name;
    long value = 0;
    while (in >> name >> value)
        if (name == "syscw:") return value;
    return 0;
}

TEST_F(OutputStreams, SingleBytesBecomeFewWrites)
{
    std::string expected;
    const long before = writes_so_far();
    {
        OutputStream stream(empty());
        for (int i = 0; i < 200000; ++i) {
            const char byte = static_cast<char>(i * 7);
            expected.push_back(byte);
            EXPECT_EQ(stream.write(&byte, 1), 1u);
        }
        EXPECT_EQ(stream.size(), expected.size());
        stream.close();
        EXPECT_EQ(stream.first_error(), 0);
    }
    EXPECT_LT(writes_so_far() - before, 100);  // sanitizers and loggers write as well
    EXPECT_EQ(content(), expected);
}

TEST_F(OutputStreams, WritesMayGoBackAndBeOfAnySize)
{
    OutputStream stream(empty());
    const std::string large(100000, 'l');
    stream.write("head", 4);
    stream.write(large.data(), large.size());
    stream.write("tail", 4);
    stream.seek(1);
    stream.write("EA", 2);
    stream.pwrite("XY", 2, 10);
    stream.seek(static_cast<std::int64_t>(large.size()) + 10);  // a gap
    stream.write("end", 3);
    stream.close();
    EXPECT_EQ(stream.first_error(), 0);
    std::string expected = "hEAd" + large + "tail";
    expected.replace(10, 2, "XY");
    expected += std::string(2, '\0') + "end";
    EXPECT_EQ(content(), expected);
    EXPECT_EQ(stream.size(), expected.size());
}

TEST_F(OutputStreams, AnErrorOfTheLastBytesIsKnownOnceItIsClosed)
{
    OutputStream stream(empty());
    const test::FileSizeLimit limit(100);
    const std::string bytes(200, 'b');
    EXPECT_EQ(stream.write(bytes.data(), bytes.size()), bytes.size());
    stream.close();
    EXPECT_EQ(stream.first_error(), EFBIG);
}

}  // namespace
}  // namespace clconv::testing
