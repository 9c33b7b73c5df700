// SPDX-License-Identifier: Apache-2.0
// Modules of clconv itself: shared libraries that are loaded when they are first needed.
#pragma once

#include <filesystem>
#include <string_view>

namespace clconv {

/// A module, which stays loaded.
class OwnModule {
public:
    /// Throws InternalError if it cannot be loaded.
    explicit OwnModule(const std::filesystem::path& file);

    /// Its function `name`, of type T. Throws InternalError if it has none.
    template <class T>
    [[nodiscard]] T* function(const char* name) const
    {
        return reinterpret_cast<T*>(address_of(name));
    }

    /// Throws InternalError unless the module is of `version`. `found`: what it says.
    void expect_version(std::string_view version, std::string_view found) const;

private:
    [[nodiscard]] void* address_of(const char* name) const;
    [[noreturn]] void refuse(std::string_view why) const;

    std::filesystem::path file_;
    void* handle_ = nullptr;
};

}  // namespace clconv
