// SPDX-License-Identifier: Apache-2.0
#include "formats/rla_row_ends.h"

#include "base/errors.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace clconv::oiio {
namespace {

constexpr std::int64_t kRlaHeader = 740;  ///< before the table of rows

class RlaFile {
public:
    explicit RlaFile(const std::filesystem::path& path) : file_(path, std::ios::binary | std::ios::in | std::ios::out)
    {
    }

    [[nodiscard]] bool is_good() const { return static_cast<bool>(file_); }
    void go_to(std::int64_t place) { file_.seekg(place); }
    [[nodiscard]] std::int64_t place() { return file_.tellg(); }
    std::uint32_t number(std::size_t bytes)
    {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(file_.get());
        return value;
    }
    /// Puts a byte at the place of the next one.
    void put(char byte)
    {
        const std::int64_t here = file_.tellg();
        file_.seekp(here);
        file_.put(byte);
        file_.seekg(here + 1);
    }

private:
    std::fstream file_;
};

/// Goes through the runs of one byte of all pixels of a row. A count from 0 on is followed by a byte that is repeated
/// so often once more; a negative one by so many bytes.
void correct_runs(RlaFile& file, int width, char last)
{
    for (int column = 0; column < width && file.is_good();) {
        const auto count = static_cast<signed char>(file.number(1));
        if (count < 0) {
            column -= count;
            file.go_to(file.place() - count);
            continue;
        }
        column += count + 1;
        if (count == 0 && column == width)
            file.put(last);
        else
            file.number(1);
    }
}

}  // namespace

void correct_row_ends(const std::filesystem::path& path, const RowEnds& ends)
{
    RlaFile file(path);
    const std::size_t row_bytes = static_cast<std::size_t>(ends.channels) * static_cast<std::size_t>(ends.sample_bytes);
    for (int row = 0; row < ends.height; ++row) {
        file.go_to(kRlaHeader + std::int64_t{4} * (ends.height - 1 - row));  // the lowest row is the first
        file.go_to(file.number(4));
        const char* pixel = ends.pixels.data() + static_cast<std::size_t>(row) * row_bytes;
        for (int channel = 0; channel < ends.channels; ++channel) {
            const auto size = static_cast<std::int64_t>(file.number(2));
            const std::int64_t next = file.place() + size;
            // The high byte is coded first, and comes last in this machine's numbers.
            for (int byte = ends.sample_bytes - 1; byte >= 0; --byte)
                correct_runs(file, ends.width, pixel[channel * ends.sample_bytes + byte]);
            file.go_to(next);
        }
    }
    if (!file.is_good()) throw InputError(std::strerror(errno));
}

}  // namespace clconv::oiio
