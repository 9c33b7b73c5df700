// SPDX-License-Identifier: Apache-2.0
#include "codecs/tiff_view.h"

#include "formats/byte_order.h"
#include "formats/tiff_directories.h"
#include "formats/tiff_numbers.h"
#include "formats/tiff_storage.h"
#include "formats/tiff_tags.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clconv::oiio {
namespace {

constexpr std::uint16_t kShort = 3;

/// Bytes that a view shows in the place of a file's own, or behind its end.
struct Patch {
    std::uint64_t place = 0;
    std::string bytes;
};

class PatchedFile final : public OIIO::Filesystem::IOProxy {
public:
    PatchedFile(const std::filesystem::path& path, std::vector<Patch> patches)
        : IOProxy(path.string(), Read), file_(path.string(), Read), patches_(std::move(patches)), size_(file_.size())
    {
        for (const Patch& patch : patches_)
            size_ = std::max(size_, static_cast<std::size_t>(patch.place) + patch.bytes.size());
    }

    const char* proxytype() const override { return "clconv-page"; }
    void close() override { file_.close(); }
    bool seek(int64_t offset) override
    {
        m_pos = offset;
        return offset >= 0;
    }
    size_t size() const override { return size_; }
    size_t read(void* bytes, size_t count) override
    {
        const size_t done = pread(bytes, count, m_pos);
        m_pos += static_cast<int64_t>(done);
        return done;
    }
    size_t pread(void* bytes, size_t count, int64_t offset) override
    {
        if (offset < 0 || static_cast<size_t>(offset) >= size_) return 0;
        const size_t maximum = std::min(count, size_ - static_cast<size_t>(offset));
        const size_t in_file = file_.pread(bytes, maximum, offset);
        auto* const to = static_cast<char*>(bytes);
        // Behind the end of the file there may be a patch.
        size_t done = in_file;
        if (static_cast<size_t>(offset) + in_file >= file_.size()) {
            std::memset(to + in_file, 0, maximum - in_file);
            done = maximum;
        }
        for (const Patch& patch : patches_) {
            const auto place = static_cast<int64_t>(patch.place);
            const int64_t begin = std::max(place, offset);
            const int64_t end =
                std::min(place + static_cast<int64_t>(patch.bytes.size()), offset + static_cast<int64_t>(done));
            if (begin < end)
                std::memcpy(to + (begin - offset), patch.bytes.data() + (begin - place),
                            static_cast<size_t>(end - begin));
        }
        return done;
    }

private:
    OIIO::Filesystem::IOFile file_;
    std::vector<Patch> patches_;
    std::size_t size_;
};

/// A whole number as the file stores it.
std::string number_of(const TiffFile& file, std::uint64_t value, int bytes)
{
    return bytes_of_number(value, bytes, file.is_little() ? ByteOrder::little : ByteOrder::big);
}

TiffTag short_numbers(std::uint16_t tag, std::uint64_t count, char value)
{
    TiffTag result{tag, kShort, count};
    for (std::uint64_t i = 0; i < count; ++i) result.bytes += {value, '\0'};
    return result;
}

/// The tags that the library has to see in place of the page's own.
std::vector<TiffTag> corrected_for_library(const TiffFile& file, const TiffDirectory& page)
{
    constexpr std::uint64_t max_samples = 65535;
    std::vector<TiffTag> tags;
    const TiffField* photometric = page.field(kPhotometric);
    if (photometric != nullptr && file.value(*photometric) == static_cast<std::uint64_t>(Photometric::white_is_zero))
        tags.push_back(short_numbers(kPhotometric, 1, static_cast<char>(Photometric::black_is_zero)));
    if (page.field(kBitsPerSample) == nullptr)
        tags.push_back(short_numbers(
            kBitsPerSample, std::clamp<std::uint64_t>(file.value(page, kSamplesPerPixel, 1), 1, max_samples), 1));
    return tags;
}

}  // namespace

std::unique_ptr<OIIO::Filesystem::IOProxy> tiff_view(const std::filesystem::path& path, std::uint64_t page)
{
    const TiffFile file(path);
    const std::optional<TiffDirectory> directory = file.page(page);
    if (!directory) return nullptr;
    std::vector<Patch> patches;
    std::uint64_t first = page;
    if (const std::vector<TiffTag> tags = corrected_for_library(file, *directory); !tags.empty()) {
        constexpr std::uint64_t alignment = 16;
        const std::uint64_t begin = (file.size() + alignment - 1) / alignment * alignment;
        NewDirectory made = directory_with(file, *directory, tags, begin);
        first = made.place;
        patches.push_back({begin, std::move(made.bytes)});
    }
    if (first == 0) return nullptr;
    patches.push_back({file.first_place(), number_of(file, first, file.is_big() ? 8 : 4)});
    return std::make_unique<PatchedFile>(path, std::move(patches));
}

}  // namespace clconv::oiio
