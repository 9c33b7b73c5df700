// SPDX-License-Identifier: Apache-2.0
// The "C" locale for one thread: numbers have a decimal point, whatever the program has set.
#pragma once

#include <locale.h>  // NOLINT(modernize-deprecated-headers): POSIX's uselocale()

namespace clconv {

/// In effect for the calling thread as long as it exists. Programs that use the library may have a decimal comma, and
/// strtod() and CLI11 read numbers by the thread's locale.
class CLocale {
public:
    CLocale() : own_(newlocale(LC_ALL_MASK, "C", nullptr)), before_(uselocale(own_)) {}
    ~CLocale()
    {
        uselocale(before_);
        if (own_ != nullptr) freelocale(own_);
    }
    CLocale(const CLocale&) = delete;
    CLocale& operator=(const CLocale&) = delete;

private:
    locale_t own_;
    locale_t before_;
};

}  // namespace clconv
