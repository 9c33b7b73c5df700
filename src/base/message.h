// Values as bytes, for messages between processes of clconv. Both run the same program, so nothing is versioned.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace clconv {

/// Appends values one after another.
class MessageWriter {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
    void put(std::string_view text)
    {
        put(text.size());
        bytes_.append(text);
    }
    void put(const std::string& text) { put(std::string_view(text)); }

    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads them in the same order. Throws std::out_of_range after the last one.
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T take()
    {
        T value{};
        std::memcpy(&value, next(sizeof(value)).data(), sizeof(value));
        return value;
    }
    [[nodiscard]] std::string take_text()
    {
        const auto size = take<std::size_t>();
        return std::string(next(size));
    }

private:
    std::string_view next(std::size_t size)
    {
        if (size > bytes_.size()) throw std::out_of_range("a message is too short");
        const std::string_view found = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return found;
    }

    std::string_view bytes_;
};

}  // namespace clconv
