// SPDX-License-Identifier: Apache-2.0
// The first bytes of a file, and numbers in them.
#pragma once

#include "formats/byte_order.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace clconv::oiio {

class FileHead {
public:
    /// The heads of most formats are shorter. Those that are read piece by piece have part().
    static constexpr std::size_t kSize = 2048;

    explicit FileHead(const std::filesystem::path& path) : file_(path, std::ios::binary)
    {
        bytes_.resize(kSize);
        file_.read(bytes_.data(), static_cast<std::streamsize>(kSize));
        bytes_.resize(static_cast<std::size_t>(file_.gcount()));
        file_.clear();
    }

    [[nodiscard]] bool begins(std::string_view magic) const { return bytes_.starts_with(magic); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

    /// An unsigned number of `size` bytes; 0 where the head ends before it.
    [[nodiscard]] std::uint64_t number(std::size_t offset, int size, ByteOrder order) const
    {
        return number_in(bytes_, offset, size, order);
    }

    /// A part of the file at any offset; empty if the file ends before.
    [[nodiscard]] std::string part(std::uint64_t offset, std::size_t size)
    {
        std::string found(size, '\0');
        file_.clear();
        file_.seekg(static_cast<std::streamoff>(offset));
        file_.read(found.data(), static_cast<std::streamsize>(size));
        return file_.gcount() == static_cast<std::streamsize>(size) ? found : std::string();
    }

private:
    std::ifstream file_;
    std::string bytes_;
};

}  // namespace clconv::oiio
