// SPDX-License-Identifier: Apache-2.0
// Values as bytes, for messages between processes of clconv. Both run the same program, so nothing is versioned.
//
// Values are: what can be copied byte by byte, texts, paths, structures with a list of fields (base/fields.h), and
// vectors, optionals and shared pointers of values.
#pragma once

#include "base/fields.h"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace clconv {

namespace message {

template <class Value>
inline constexpr bool kIsVector = false;
template <class Entry>
inline constexpr bool kIsVector<std::vector<Entry>> = true;
template <class Value>
inline constexpr bool kIsOptional = false;
template <class Held>
inline constexpr bool kIsOptional<std::optional<Held>> = true;
template <class Value>
inline constexpr bool kIsShared = false;
template <class Held>
inline constexpr bool kIsShared<std::shared_ptr<Held>> = true;

}  // namespace message

/// Appends values one after another.
class MessageWriter {
public:
    template <class Value>
    void put(const Value& value)
    {
        if constexpr (kStaysInProcess<Value>)
            return;
        else if constexpr (HasFields<const Value>)
            std::apply([&](const auto&... members) { (put(members), ...); }, fields_of(value));
        else if constexpr (std::is_same_v<Value, std::filesystem::path>)
            put(value.string());
        else if constexpr (message::kIsVector<Value>)
            put_list(value);
        else if constexpr (message::kIsOptional<Value> || message::kIsShared<Value>)
            put_held(value);
        else
            put_bytes(value);
    }
    void put(std::string_view text)
    {
        put(text.size());
        bytes_.append(text);
    }
    void put(const std::string& text) { put(std::string_view(text)); }

    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    /// Bytes between members are whatever memory held. So a structure with such gaps should have a list of fields.
    template <class Value>
    void put_bytes(const Value& value)
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    }
    template <class List>
    void put_list(const List& list)
    {
        put(list.size());
        for (const auto& entry : list) put(entry);
    }
    /// `holder` may hold nothing.
    template <class Holder>
    void put_held(const Holder& holder)
    {
        put(static_cast<bool>(holder));
        if (holder) put(*holder);
    }

    std::string bytes_;
};

/// Reads them in the same order. Throws std::out_of_range after the last one.
class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}

    template <class Value>
    [[nodiscard]] Value take()
    {
        if constexpr (kStaysInProcess<Value>)
            return Value();
        else if constexpr (HasFields<Value>)
            return take_fields<Value>();
        else if constexpr (std::is_same_v<Value, std::string> || std::is_same_v<Value, std::filesystem::path>)
            return Value(take_text());
        else if constexpr (message::kIsVector<Value>)
            return take_list<Value>();
        else if constexpr (message::kIsOptional<Value>)
            return take<bool>() ? Value(take<typename Value::value_type>()) : Value();
        else if constexpr (message::kIsShared<Value>)
            return take<bool>() ? std::make_shared<typename Value::element_type>(
                                      take<std::remove_const_t<typename Value::element_type>>())
                                : Value();
        else
            return take_bytes<Value>();
    }
    [[nodiscard]] std::string take_text()
    {
        const auto size = take<std::size_t>();
        return std::string(next(size));
    }

private:
    template <class Value>
    Value take_bytes()
    {
        Value value{};
        std::memcpy(&value, next(sizeof(value)).data(), sizeof(value));
        return value;
    }
    template <class List>
    List take_list()
    {
        List list;
        for (auto count = take<std::size_t>(); count > 0; --count) list.push_back(take<typename List::value_type>());
        return list;
    }
    template <class Value>
    Value take_fields()
    {
        Value value;
        std::apply([&](auto&... members) { ((members = take<std::remove_reference_t<decltype(members)>>()), ...); },
                   fields_of(value));
        return value;
    }
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
