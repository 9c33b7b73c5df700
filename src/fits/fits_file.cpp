// SPDX-License-Identifier: Apache-2.0
#include "fits/fits_file.h"

#include "base/errors.h"
#include "fits/fits_header.h"

#include <fcntl.h>
#include <fitsio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <string_view>

namespace clconv::fits {
namespace {

constexpr int kMaxAxes = 99;

/// The lock for calls of cfitsio. If it was not built for several threads, only one may enter at a time.
std::unique_lock<std::recursive_mutex> cfitsio_lock()
{
    static std::recursive_mutex mutex;
    static const bool kIsNeeded = [] {
        fits_init_cfitsio();  // makes its locks, which two threads that use it first may not do at once
        return fits_is_reentrant() == 0;
    }();
    return kIsNeeded ? std::unique_lock(mutex) : std::unique_lock<std::recursive_mutex>();
}

std::string text_of(int status)
{
    std::array<char, FLEN_STATUS> text{};
    fits_get_errstatus(status, text.data());
    fits_clear_errmsg();
    return "cfitsio: " + std::string(text.data());
}

/// cfitsio's name of the type in memory.
int memory_type(FileType type)
{
    switch (type) {
        case FileType::u8: return TBYTE;
        case FileType::i8: return TSBYTE;
        case FileType::u16: return TUSHORT;
        case FileType::i16: return TSHORT;
        case FileType::u32: return TUINT;
        case FileType::i32: return TINT;
        case FileType::float64: return TDOUBLE;
        case FileType::half:
        case FileType::float32: break;
    }
    return TFLOAT;
}

/// Integers of 64 bits become doubles, which makes no difference for pixels.
FileType type_of(int equivalent_bitpix)
{
    switch (equivalent_bitpix) {
        case BYTE_IMG: return FileType::u8;
        case SBYTE_IMG: return FileType::i8;
        case SHORT_IMG: return FileType::i16;
        case USHORT_IMG: return FileType::u16;
        case LONG_IMG: return FileType::i32;
        case ULONG_IMG: return FileType::u32;
        case FLOAT_IMG: return FileType::float32;
        default: return FileType::float64;
    }
}

/// A copy of a header in memory, freed with this object.
class MemoryHeader {
public:
    explicit MemoryHeader(int* status) { fits_create_memfile(&file_, &buffer_, &size_, 2880, std::realloc, status); }
    ~MemoryHeader()
    {
        int ignored = 0;
        if (file_ != nullptr) fits_delete_file(file_, &ignored);
        std::free(buffer_);
    }
    MemoryHeader(const MemoryHeader&) = delete;
    MemoryHeader& operator=(const MemoryHeader&) = delete;
    [[nodiscard]] fitsfile* get() const { return file_; }

private:
    fitsfile* file_ = nullptr;
    void* buffer_ = nullptr;
    std::size_t size_ = 0;
};

std::string cards_of(fitsfile* file, int* status)
{
    int count = 0;
    fits_get_hdrspace(file, &count, nullptr, status);
    std::string cards;
    for (int i = 1; i <= count && *status == 0; ++i) {
        std::array<char, FLEN_CARD> card{};
        fits_read_record(file, i, card.data(), status);
        std::string text(card.data());
        text.resize(kCard, ' ');
        cards += text;
    }
    return cards;
}

/// The product of the axes above the second, limited to the largest number, because headers claim anything.
std::int64_t planes_of(const std::vector<std::int64_t>& axes)
{
    std::int64_t planes = 1;
    for (std::size_t i = 2; i < axes.size(); ++i)
        planes = axes[i] > std::numeric_limits<std::int64_t>::max() / planes ? std::numeric_limits<std::int64_t>::max()
                                                                             : planes * axes[i];
    return planes;
}

/// EXTNAME and EXTVER of the current HDU. A file without them is sound.
void note_name(fitsfile* file, FitsImage& image)
{
    int status = 0;
    std::array<char, FLEN_VALUE> name{};
    if (fits_read_key_str(file, "EXTNAME", name.data(), nullptr, &status) == 0) image.name = name.data();
    status = 0;
    LONGLONG version = 1;
    if (fits_read_key_lnglng(file, "EXTVER", &version, nullptr, &status) == 0)
        image.version = static_cast<int>(std::clamp<LONGLONG>(version, 0, std::numeric_limits<int>::max()));
    fits_clear_errmsg();
}

bool has_pixels(const std::vector<std::int64_t>& axes)
{
    return axes.size() >= 2 && std::ranges::all_of(axes, [](std::int64_t axis) { return axis > 0; });
}

}  // namespace

struct File::Handle {
    int descriptor = -1;
    fitsfile* file = nullptr;

    ~Handle()
    {
        const auto lock = cfitsio_lock();
        int ignored = 0;
        if (file != nullptr) fits_close_file(file, &ignored);
        if (descriptor >= 0) ::close(descriptor);
    }

    /// The axes of the current HDU; none if it is not an image.
    [[nodiscard]] std::vector<std::int64_t> axes(int* status) const
    {
        int kind = 0;
        fits_get_hdu_type(file, &kind, status);
        if (*status != 0 || (kind != IMAGE_HDU && fits_is_compressed_image(file, status) == 0)) return {};
        int bitpix = 0;
        int count = 0;
        std::array<LONGLONG, kMaxAxes> sizes{};
        fits_get_img_paramll(file, kMaxAxes, &bitpix, &count, sizes.data(), status);
        if (*status != 0 || count < 1 || count > kMaxAxes) return {};
        return {sizes.begin(), sizes.begin() + count};
    }
};

std::int64_t FitsImage::planes() const { return planes_of(axes); }
std::int64_t FitsLayout::planes() const { return planes_of(axes); }

bool is_fits(const std::filesystem::path& path)
{
    constexpr std::string_view magic = "SIMPLE";
    std::array<char, magic.size()> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return std::string_view(head.data(), head.size()) == magic;
}

File::File(const std::filesystem::path& path, int hdu) : path_(path), handle_(new Handle)
{
    const auto lock = cfitsio_lock();
    handle_->descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle_->descriptor < 0) throw InputError(path.string() + ": cannot be read: " + std::strerror(errno));
    int status = 0;
    // A name of our own: cfitsio expands a leading ~ to a home folder, and its names have at most 1024 letters.
    fits_open_diskfile(&handle_->file, ("/proc/self/fd/" + std::to_string(handle_->descriptor)).c_str(), READONLY,
                       &status);
    if (status != 0) fail(status);
    find_image(hdu);
    note_place();
    note_others();
    find_blanks();
}

File::~File() = default;

void File::fail(int status) const { throw InputError(path_.string() + ": cannot be decoded: " + text_of(status)); }

void File::find_image(int wanted)
{
    int status = 0;
    for (int hdu = std::max(wanted, 1);; ++hdu) {
        fits_movabs_hdu(handle_->file, hdu, nullptr, &status);
        if (status == END_OF_FILE && hdu > 1)
            throw InputError(path_.string() + ": holds no image of two axes that has pixels: its HDUs (" +
                             std::to_string(hdu - 1) + ") are tables, spectra or empty");
        if (status != 0) fail(status);
        layout_.axes = handle_->axes(&status);
        if (status != 0) fail(status);
        layout_.hdu = hdu;
        if (has_pixels(layout_.axes)) break;
    }
    check_axes();
}

void File::check_axes() const
{
    constexpr std::int64_t maximum = std::numeric_limits<int>::max();
    std::int64_t planes = 1;
    for (std::size_t i = 0; i < layout_.axes.size(); ++i) {
        if (layout_.axes[i] <= maximum && planes <= maximum) planes *= i < 2 ? 1 : layout_.axes[i];
        if (layout_.axes[i] > maximum || planes > maximum)
            throw InputError(path_.string() + ": claims an axis of " + std::to_string(layout_.axes[i]) +
                             " pixels, more than any file can hold");
    }
}

void File::note_place()
{
    int status = 0;
    fitsfile* file = handle_->file;
    layout_.is_compressed = fits_is_compressed_image(file, &status) != 0;
    LONGLONG begin = 0;
    LONGLONG data = 0;
    LONGLONG end = 0;
    fits_get_hduaddrll(file, &begin, &data, &end, &status);
    int bitpix = 0;
    fits_get_img_type(file, &bitpix, &status);
    if (status != 0) fail(status);
    layout_.begin = begin;
    layout_.data = data;
    layout_.end = end;
    note_type(bitpix);

    layout_.block_pixels = static_cast<std::uint64_t>(layout_.axes[0]);
    if (!layout_.is_compressed) {
        const auto bytes = static_cast<std::uint64_t>(std::abs(bitpix) / 8);
        layout_.data_bytes = static_cast<std::uint64_t>(end - data) / bytes * bytes;
        return;
    }
    std::uint64_t tile = 1;
    for (std::size_t axis = 1; axis <= layout_.axes.size(); ++axis) {
        LONGLONG size = 0;
        int missing = 0;
        if (fits_read_key_lnglng(file, ("ZTILE" + std::to_string(axis)).c_str(), &size, nullptr, &missing) != 0)
            size = axis == 1 ? layout_.axes[0] : 1;
        const auto side = static_cast<std::uint64_t>(std::clamp<LONGLONG>(size, 1, std::numeric_limits<int>::max()));
        tile = tile > std::numeric_limits<std::uint64_t>::max() / 64 / side ? std::numeric_limits<std::uint64_t>::max()
                                                                            : tile * side;
    }
    fits_clear_errmsg();
    layout_.block_pixels = tile;
}

void File::note_type(int bitpix)
{
    int status = 0;
    int equivalent = 0;
    fits_get_img_equivtype(handle_->file, &equivalent, &status);
    if (status != 0) fail(status);
    layout_.type = type_of(equivalent);
    layout_.is_wide = bitpix == LONGLONG_IMG;
    // cfitsio finds wider integers where BSCALE and BZERO are whole numbers.
    const bool is_of_floats = equivalent == FLOAT_IMG || equivalent == DOUBLE_IMG;
    const bool is_wider = !layout_.is_wide && static_cast<int>(bytes_of(layout_.type)) * 8 > bitpix;
    layout_.is_scaled = bitpix > 0 && (is_of_floats || is_wider);
    if (layout_.is_scaled && !is_of_floats) layout_.type = bitpix <= SHORT_IMG ? FileType::float32 : FileType::float64;
}

void File::note_others()
{
    int status = 0;
    int count = 0;
    fits_get_num_hdus(handle_->file, &count, &status);
    for (int hdu = 1; hdu <= count && status == 0; ++hdu) {
        fits_movabs_hdu(handle_->file, hdu, nullptr, &status);
        int kind = 0;
        fits_get_hdu_type(handle_->file, &kind, &status);
        FitsImage image{hdu, {}, 1, handle_->axes(&status)};
        if (status != 0 || !has_pixels(image.axes)) continue;
        note_name(handle_->file, image);
        layout_.images.push_back(std::move(image));
    }
    LONGLONG end = 0;
    fits_get_hduaddrll(handle_->file, nullptr, nullptr, &end, &status);
    std::error_code failure;
    const auto length = static_cast<LONGLONG>(std::filesystem::file_size(path_, failure));
    // Damage behind the image does not affect the image.
    layout_.has_sound_rest = status == 0 && !failure && (count == layout_.hdu || end <= length);
    status = 0;
    fits_movabs_hdu(handle_->file, layout_.hdu, nullptr, &status);
    fits_clear_errmsg();
    if (status != 0) fail(status);
}

std::string File::cards() const
{
    const auto lock = cfitsio_lock();
    int status = 0;
    if (!layout_.is_compressed) {
        std::string cards = cards_of(handle_->file, &status);
        if (status != 0) fail(status);
        return cards;
    }
    const MemoryHeader copy(&status);
    fits_img_decompress_header(handle_->file, copy.get(), &status);
    std::string cards = cards_of(copy.get(), &status);
    if (status != 0) fail(status);
    return cards;
}

std::string File::read(std::int64_t plane, int first, int count, std::byte* samples)
{
    return read_run(plane, first, 0, layout_.axes[0] * count, samples);
}

std::string File::read_run(std::int64_t plane, int row, std::int64_t column, std::int64_t count, std::byte* samples)
{
    const auto lock = cfitsio_lock();
    std::vector<LONGLONG> pixel(layout_.axes.size(), 1);
    pixel[0] = column + 1;
    pixel[1] = row + 1;
    for (std::size_t axis = 2; axis < pixel.size(); ++axis) {
        pixel[axis] = plane % layout_.axes[axis] + 1;
        plane /= layout_.axes[axis];
    }
    float no_float = std::numeric_limits<float>::quiet_NaN();
    double no_double = std::numeric_limits<double>::quiet_NaN();
    void* missing = nullptr;
    if (layout_.is_scaled && layout_.type == FileType::float32) missing = &no_float;
    if (layout_.is_scaled && layout_.type == FileType::float64) missing = &no_double;
    int any = 0;
    int status = 0;
    fits_read_pixll(handle_->file, memory_type(layout_.type), pixel.data(), count, missing, samples, &any, &status);
    return status == 0 ? std::string() : text_of(status);
}

void File::find_blanks()
{
    const bool holds_integers = is_integer(layout_.type) || layout_.is_scaled;
    int status = 0;
    LONGLONG blank = 0;
    const char* name = layout_.is_compressed ? "ZBLANK" : "BLANK";
    fits_read_key_lnglng(handle_->file, name, &blank, nullptr, &status);
    fits_clear_errmsg();
    if (!holds_integers || status != 0) return;

    const FitsLayout plain = layout_;
    layout_.is_scaled = true;
    layout_.type = bytes_of(plain.type) < 4 || plain.type == FileType::float32 ? FileType::float32 : FileType::float64;
    for (std::int64_t plane = 0; plane < layout_.planes(); ++plane)
        for (int row = 0; row < layout_.axes[1]; ++row)
            if (!count_blanks(plane, row)) return;
    if (layout_.blanks == 0) layout_ = plain;
}

bool File::count_blanks(std::int64_t plane, int row)
{
    constexpr std::int64_t maximum = 4096;
    const auto count_nan = [](const auto* values, std::int64_t count) {
        return static_cast<std::uint64_t>(
            std::count_if(values, values + count, [](auto value) { return std::isnan(value); }));
    };
    std::array<double, maximum> block{};
    for (std::int64_t column = 0; column < layout_.axes[0]; column += maximum) {
        const std::int64_t count = std::min(maximum, layout_.axes[0] - column);
        if (!read_run(plane, row, column, count, reinterpret_cast<std::byte*>(block.data())).empty()) return false;
        layout_.blanks += layout_.type == FileType::float32
                              ? count_nan(reinterpret_cast<const float*>(block.data()), count)
                              : count_nan(block.data(), count);
    }
    return true;
}

}  // namespace clconv::fits
