// SPDX-License-Identifier: Apache-2.0
// Loads libclconv_openimageio.so, the module of the formats that clconv does not read and write by itself.
// OpenImageIO's 260 libraries take longer to load than most commands to run.
#include "codecs/codec_library.h"

#include "base/own_module.h"
#include "cli/version.h"
#include "openimageio/open_image_io.h"

#include <dlfcn.h>

#include <filesystem>
#include <initializer_list>

namespace clconv::oiio {
namespace {

constexpr const char* kFile = "libclconv_openimageio.so";

/// Some of the module's libraries. The loader looks for the symbols of each of them, and of those that it needs, only
/// among these. The module would load them too, so nothing is lost if one is missing.
/// docs/decisions/052-shorter-starts.md
void load_first()
{
    for (const char* const file : std::initializer_list<const char*>{CLCONV_LOADED_FIRST})
        static_cast<void>(dlopen(file, RTLD_LAZY | RTLD_LOCAL));
}

/// In the folder of this module.
std::filesystem::path module_file()
{
    Dl_info own{};
    if (dladdr(reinterpret_cast<void*>(&load_first), &own) == 0 || own.dli_fname == nullptr) return kFile;
    return std::filesystem::path(own.dli_fname).parent_path() / kFile;
}

CodecLibrary& loaded()
{
    load_first();
    const OwnModule module(module_file());
    CodecLibrary& found = *module.function<decltype(clconv_open_image_io)>("clconv_open_image_io")();
    module.expect_version(kVersion, found.version());
    return found;
}

}  // namespace

CodecLibrary& codec_library()
{
    static CodecLibrary& library = loaded();
    return library;
}

}  // namespace clconv::oiio
