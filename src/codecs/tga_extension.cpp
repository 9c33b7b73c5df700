// SPDX-License-Identifier: Apache-2.0
#include "codecs/tga_extension.h"

#include "formats/byte_order.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>

namespace clconv::oiio {

namespace {

constexpr std::size_t kArea = 495;

class TgaFile {
public:
    explicit TgaFile(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        file_.seekg(0, std::ios::end);
        size_ = static_cast<std::uint64_t>(file_.tellg());
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// `Count` bytes from `place` on; none if the file has fewer.
    template <std::size_t Count>
    std::optional<std::array<unsigned char, Count>> bytes(std::uint64_t place)
    {
        std::array<unsigned char, Count> read{};
        if (place + Count > size_) return std::nullopt;
        file_.seekg(static_cast<std::streamoff>(place));
        if (!file_.read(reinterpret_cast<char*>(read.data()), Count)) return std::nullopt;
        return read;
    }
    /// Where the last 26 bytes say that the extension area begins: 0 if there is none. No value without these bytes.
    std::optional<std::uint64_t> extension()
    {
        constexpr std::size_t footer_bytes = 26;
        if (size_ < footer_bytes) return std::nullopt;
        const auto footer = bytes<footer_bytes>(size_ - footer_bytes);
        if (!footer) return std::nullopt;
        return number_in({reinterpret_cast<const char*>(footer->data()), footer->size()}, 0, 4, ByteOrder::little);
    }
    bool is_sound(std::uint64_t extension)
    {
        const auto length = bytes<2>(extension);
        return extension + kArea <= size_ && length && (*length)[0] + 256U * (*length)[1] == kArea;
    }
    bool is_version_2()
    {
        constexpr std::string_view signature = "TRUEVISION-XFILE";
        const auto end = size_ < 18 ? std::nullopt : bytes<16>(size_ - 18);
        return end && std::equal(end->begin(), end->end(), signature.begin());
    }

private:
    std::ifstream file_;
    std::uint64_t size_ = 0;
};

}  // namespace

bool has_sound_extension(const std::filesystem::path& path)
{
    TgaFile file(path);
    const std::optional<std::uint64_t> extension = file.extension();
    return extension && (*extension == 0 || file.is_sound(*extension));
}

AlphaUse tga_alpha_use(const std::filesystem::path& path)
{
    constexpr unsigned char may_be_ignored = 1;
    TgaFile file(path);
    const std::uint64_t extension = file.is_version_2() ? file.extension().value_or(0) : 0;
    if (extension == 0 || !file.is_sound(extension)) return AlphaUse::unless_zero;
    const auto kind = file.bytes<1>(extension + kArea - 1);  // its last byte
    return kind && (*kind)[0] <= may_be_ignored ? AlphaUse::unused : AlphaUse::alpha;
}

void drop_extension(FileHeader& header)
{
    for (const char* name : {"Artist", "ImageDescription", "DateTime", "DocumentName", "Software", "targa:JobTime",
                             "oiio:Gamma", "oiio:ColorSpace"})
        header.erase_attribute(name);
}

}  // namespace clconv::oiio
