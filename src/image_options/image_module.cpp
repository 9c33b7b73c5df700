// SPDX-License-Identifier: Apache-2.0
#include "image_options/image_module.h"

#include "base/errors.h"
#include "base/own_module.h"
#include "cli/version.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

namespace clconv {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libclconv_image.so";

/// Beside the program, where it is built, or where it is installed.
fs::path module_file()
{
    std::error_code failure;
    const fs::path folder = fs::read_symlink("/proc/self/exe", failure).parent_path();
    const fs::path installed = (folder / CLCONV_MODULE_FOLDER).lexically_normal();
    for (const fs::path& place : {folder, installed})
        if (fs::exists(place / kFile, failure)) return place / kFile;
    throw InternalError(
        fmt::format("{} is missing, and image files need it: it is neither in {} nor in {}; install "
                    "clconv again",
                    kFile, folder.string(), installed.string()));
}

/// When it is loaded, OpenImageIO's library of utilities makes a table of strings in 25 MB of the heap. In small pages,
/// that is 6,500 page faults.
void take_huge_pages()
{
    constexpr std::size_t heap = std::size_t{30} << 20U;
    constexpr std::size_t page = std::size_t{2} << 20U;
    // The C library takes blocks of this size from the heap after one was given back, and leaves the heap as large.
    // Volatile, because a compiler removes an unused block.
    void* volatile block = std::malloc(heap);
    std::free(block);
    block = std::malloc(heap);
    void* aligned = block;
    std::size_t size = heap;
    if (std::align(page, heap - page, aligned, size) != nullptr) ::madvise(aligned, size / page * page, MADV_HUGEPAGE);
    std::free(block);
}

const ImageModule& loaded()
{
    const fs::path file = module_file();
    take_huge_pages();
    const OwnModule module(file);
    const ImageModule& found = *module.function<decltype(clconv_image_module)>("clconv_image_module")();
    module.expect_version(kVersion, found.version);
    return found;
}

}  // namespace

const ImageModule& image_module()
{
    static const ImageModule& module = loaded();
    return module;
}

}  // namespace clconv
