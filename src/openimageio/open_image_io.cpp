// SPDX-License-Identifier: Apache-2.0
#include "openimageio/open_image_io.h"

#include "openimageio/conversions.h"
#include "openimageio/library_decoder.h"
#include "openimageio/library_output.h"

#include <OpenImageIO/imageio.h>
#include <dlfcn.h>

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

OIIO_NAMESPACE_BEGIN

// Declared in OpenImageIO/tiffutils.h, which cannot be included without the headers of libtiff.
OIIO_API bool decode_exif(string_view exif, ImageSpec& spec);
OIIO_API bool decode_xmp(string_view xml, ImageSpec& spec);

// The library's function of this name keeps the names of tags in a table of all threads, to which it adds those that it
// does not know, without a lock: two readers in it at once hang or crash. The library calls its functions by name, and
// those of a program or of the module that loads it come first, so it calls this one, which lets one thread at a time
// into the library's.
OIIO_API bool decode_icc_profile(cspan<uint8_t> iccdata, ImageSpec& spec, std::string& error)
{
    using Function = bool(cspan<uint8_t>, ImageSpec&, std::string&);
    static Function* const kLibraryFunction = []() -> Function* {
        Dl_info own{};
        if (dladdr(reinterpret_cast<void*>(&decode_icc_profile), &own) == 0 || own.dli_sname == nullptr) return nullptr;
        return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, own.dli_sname));
    }();
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    return kLibraryFunction != nullptr && kLibraryFunction(iccdata, spec, error);
}

OIIO_NAMESPACE_END

namespace clconv::oiio {
namespace {

/// Sets the library's options of the whole process, once.
///
/// Its own threads are off: clconv reads and writes several files at a time, and two pools would compete for the cores.
/// TIFF may hold half, because half files must stay half.
void set_options()
{
    static std::once_flag once;
    std::call_once(once, [] {
        OIIO::attribute("debug", 0);  // otherwise Debian's library prints what it cannot store
        OIIO::attribute("threads", 1);
        OIIO::attribute("exr_threads", -1);
        OIIO::attribute("tiff:half", 1);
    });
}

template <class Decode>
void add_attributes(std::string_view block, FileHeader& header, Decode decode)
{
    OIIO::ImageSpec spec = spec_of(header);
    decode(OIIO::string_view(block.data(), block.size()), spec);
    header = header_of(spec);
}

class OpenImageIo final : public CodecLibrary {
public:
    [[nodiscard]] std::string_view version() const override { return CLCONV_VERSION; }

    std::unique_ptr<Decoder> open(const std::filesystem::path& path, const OpenHints& hints) override
    {
        set_options();
        OIIO::ImageSpec wishes;
        OIIO::Filesystem::IOProxy* view = hints.view;
        if (view != nullptr) wishes.attribute("oiio:ioproxy", OIIO::TypeDesc::PTR, &view);
        wishes.attribute("oiio:UnassociatedAlpha", 1);
        if (hints.is_raw) wishes.attribute("oiio:RawColor", 1);
        std::unique_lock<std::mutex> lock;
        if (hints.newer_exr) {  // which is an option of the process
            static std::mutex mutex;
            lock = std::unique_lock(mutex);
            OIIO::attribute("openexr:core", *hints.newer_exr ? 1 : 0);
        }
        std::unique_ptr<OIIO::ImageInput> input = opened(path.string(), hints.format, wishes);
        return input ? make_decoder(std::move(input)) : nullptr;
    }

    std::unique_ptr<ImageOutput> create_output(std::string_view format) override
    {
        set_options();
        std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(std::string(format));
        return output ? make_output(std::move(output)) : nullptr;
    }

    std::string take_error() override
    {
        std::string own = std::exchange(own_error(), {});
        return own.empty() ? OIIO::geterror() : own;
    }

    void convert(OIIO::TypeDesc from, const std::byte* samples, OIIO::TypeDesc to, std::byte* result,
                 std::size_t count) override
    {
        OIIO::convert_pixel_values(from, samples, to, result, static_cast<int>(count));
    }

    void decode_exif(std::string_view block, FileHeader& header) override
    {
        add_attributes(block, header, OIIO::decode_exif);
    }

    void decode_xmp(std::string_view packet, FileHeader& header) override
    {
        add_attributes(packet, header, OIIO::decode_xmp);
    }

private:
    /// What a reader said that was asked by its format, as the library says what it tried itself: for each thread.
    static std::string& own_error()
    {
        thread_local std::string error;
        return error;
    }

    /// The library takes what is behind a '?' in a name for options, so the format of such a name is named apart.
    static std::unique_ptr<OIIO::ImageInput> opened(const std::string& file, std::string_view format,
                                                    const OIIO::ImageSpec& wishes)
    {
        if (format.empty() && file.find('?') == std::string::npos) return OIIO::ImageInput::open(file, &wishes);
        const std::string extension = std::filesystem::path(file).extension().string();
        const std::string named = format.empty() ? extension.substr(extension.empty() ? 0 : 1) : std::string(format);
        std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(named);
        OIIO::ImageSpec spec;
        if (!input || input->open(file, spec, wishes)) return input;
        own_error() = input->geterror();
        return nullptr;
    }
};

}  // namespace
}  // namespace clconv::oiio

clconv::oiio::CodecLibrary* clconv_open_image_io()
{
    static clconv::oiio::OpenImageIo library;
    return &library;
}
