// SPDX-License-Identifier: Apache-2.0
// A block of page-aligned, uninitialised memory that moves but does not copy.
//
// Page alignment lets a CPU device use the block as it is (CL_MEM_USE_HOST_PTR) and a GPU's driver copy from it fast.
#pragma once

#include "base/ceil_div.h"

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace clconv {

class Bytes {
public:
    static constexpr std::size_t kAlignment = 4096;

    Bytes() = default;
    explicit Bytes(std::size_t size) : size_(size)
    {
        const std::size_t rounded = rounded_up(size, kAlignment);
        data_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded ? rounded : kAlignment)));
        if (!data_) throw std::bad_alloc();
    }

    /// A block that somebody else owns: `release` returns it at the end. `data` is aligned to kAlignment.
    Bytes(std::byte* data, std::size_t size, std::function<void(std::byte*)> release)
        : data_(data, {std::move(release)}), size_(size)
    {
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    /// Forgets all but the first `size` bytes.
    void shorten(std::size_t size) { size_ = size; }
    [[nodiscard]] std::byte* data() { return data_.get(); }
    [[nodiscard]] const std::byte* data() const { return data_.get(); }

    /// The block as an array of T. T must be a type in which any bytes are a value (u8, u16, float).
    template <class T>
    [[nodiscard]] std::span<T> as()
    {
        return {reinterpret_cast<T*>(data_.get()), size_ / sizeof(T)};
    }
    template <class T>
    [[nodiscard]] std::span<const T> as() const
    {
        return {reinterpret_cast<const T*>(data_.get()), size_ / sizeof(T)};
    }

private:
    struct Release {
        std::function<void(std::byte*)> release;
        void operator()(std::byte* block) const
        {
            if (release)
                release(block);
            else
                std::free(block);
        }
    };
    std::unique_ptr<std::byte, Release> data_;
    std::size_t size_ = 0;
};

}  // namespace clconv
