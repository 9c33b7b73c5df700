// SPDX-License-Identifier: Apache-2.0
#include "base/own_module.h"

#include "base/errors.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace clconv {

OwnModule::OwnModule(const std::filesystem::path& file)
    : file_(file), handle_(dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL))
{
    if (handle_ == nullptr) refuse(fmt::format("cannot be loaded: {}", dlerror()));
}

void OwnModule::expect_version(std::string_view version, std::string_view found) const
{
    if (found != version) refuse(fmt::format("belongs to version {}, and this is {}", found, version));
}

void* OwnModule::address_of(const char* name) const
{
    void* const function = dlsym(handle_, name);
    if (function == nullptr) refuse("is no module of clconv");
    return function;
}

void OwnModule::refuse(std::string_view why) const
{
    throw InternalError(fmt::format("{}: {}; install clconv again", file_.string(), why));
}

}  // namespace clconv
