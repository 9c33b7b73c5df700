// SPDX-License-Identifier: Apache-2.0
#include "formats/tiff_tags.h"

#include "base/errors.h"
#include "formats/byte_order.h"
#include "formats/photoshop_resources.h"
#include "formats/tiff_numbers.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace clconv::oiio {
namespace {

constexpr std::uint64_t kMaxTagBytes = std::uint64_t{32} << 20U;
// Types of values: TIFF 6.0, section 2, and BigTIFF.
constexpr std::uint16_t kLongType = 4;
constexpr std::uint16_t kRationalType = 5;
constexpr std::uint16_t kUndefinedType = 7;
constexpr std::uint16_t kSignedRational = 10;
constexpr std::uint16_t kDoubleType = 12;
constexpr std::uint16_t kDirectory = 13;
constexpr std::uint16_t kLong8 = 16;
constexpr std::uint16_t kDirectory8 = 18;
// Tags.
constexpr std::uint16_t kXmpTag = 700;
constexpr std::uint16_t kIptcTag = 33723;
constexpr std::uint16_t kTiePoints = 33922;  // GeoTIFF: which pixels are where
constexpr std::uint16_t kToMap = 34264;
constexpr std::uint16_t kCameraModel = 50844;  // GDAL's RPCCoefficient, among the tags of DNG
constexpr std::uint16_t kPhotoshopTag = 34377;
constexpr std::uint16_t kExifTag = 34665;
constexpr std::uint16_t kGdalNodata = 42113;
constexpr std::uint16_t kGpsTag = 34853;
constexpr std::uint16_t kInteroperabilityTag = 40965;
constexpr std::uint16_t kPageNumber = 297;
constexpr std::uint16_t kImagejCounts = 50838;
constexpr std::uint16_t kImagej = 50839;

/// Tags that replace OpenImageIO's own version of them.
constexpr std::array<std::uint16_t, 6> kCopiedTags{kXmpTag, kIptcTag, kPhotoshopTag, kExifTag, kGpsTag, kExtraSamples};

bool names_one_directory(std::uint16_t tag) { return tag == kExifTag || tag == kGpsTag || tag == kInteroperabilityTag; }

struct TagRange {
    std::uint16_t first;
    std::uint16_t last;
};

/// Tags that are not copied: how samples are stored and what they mean (the writer states it), pages and reduced
/// copies, and what is true only of the old samples or the old file (Photoshop's layers, sensors, microscopes'
/// offsets).
constexpr std::array kStorageTags{
    TagRange{254, 259},     TagRange{262, 266},     TagRange{270, 270},     TagRange{273, 274},
    TagRange{277, 281},     TagRange{284, 284},     TagRange{286, 293},     TagRange{300, 301},
    TagRange{317, 317},     TagRange{320, 332},     TagRange{334, 347},     TagRange{351, 351},
    TagRange{400, 435},     TagRange{512, 532},     TagRange{559, 559},     TagRange{32781, 32781},
    TagRange{32992, 32998}, TagRange{33421, 33424}, TagRange{33628, 33631}, TagRange{34412, 34412},
    TagRange{34675, 34675}, TagRange{37724, 37724}, TagRange{50706, 50837}, TagRange{50840, 50843},
    TagRange{50845, 51041}, TagRange{51081, 51122}, TagRange{51124, 51125},
};

bool is_storage(std::uint16_t tag)
{
    return std::ranges::any_of(kStorageTags, [&](TagRange range) { return range.first <= tag && tag <= range.last; });
}

/// Whether a field's values may be offsets in the old file: integers of 32 or 64 bits in private tags.
bool may_point(const TiffField& field)
{
    constexpr std::uint16_t first_private = 32768;
    if (field.type == kDirectory || field.type == kDirectory8) return true;
    if (field.tag == kImagejCounts || field.tag == kIptcTag) return false;
    return field.tag >= first_private && (field.type == kLongType || field.type == kLong8);
}

std::size_t unit_of(std::uint16_t type)
{
    TiffField field;
    field.type = type;
    return type == kRationalType || type == kSignedRational ? 4 : static_cast<std::size_t>(field.value_bytes());
}

/// Reverses the bytes of each unit.
std::string reversed_units(std::string bytes, std::size_t unit)
{
    for (std::size_t first = 0; unit > 1 && first + unit <= bytes.size(); first += unit)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(first),
                     bytes.begin() + static_cast<std::ptrdiff_t>(first + unit));
    return bytes;
}

class TagReader {
public:
    explicit TagReader(const TiffFile& file) : file_(file) {}

    /// The tags of the directory at `place`; none if it is damaged. `deepest`: how many levels of directories below it
    /// are read.
    std::vector<TiffTag> read(std::uint64_t place, bool is_page, int deepest)
    {
        std::vector<TiffTag> tags;
        const std::optional<TiffDirectory> directory = file_.directory(place);
        if (!directory) return tags;
        for (const TiffField& field : directory->fields) {
            if (is_page && is_storage(field.tag)) continue;
            if (names_one_directory(field.tag)) {
                TiffTag tag{field.tag, kLongType, 1};
                if (deepest > 0) tag.directory = read(file_.value(field), false, deepest - 1);
                if (!tag.directory.empty()) tags.push_back(std::move(tag));
            } else if (!(is_page && may_point(field))) {
                add(field, tags);
            }
        }
        return tags;
    }

    [[nodiscard]] bool is_too_much() const { return bytes_ > kMaxTagBytes; }

private:
    void add(const TiffField& field, std::vector<TiffTag>& tags)
    {
        const auto size = static_cast<std::uint64_t>(field.value_bytes());
        if (size == 0 || field.count > kMaxTagBytes / size) return;
        bytes_ += size * field.count;
        if (is_too_much()) return;
        std::string bytes = file_.bytes(field.place, size * field.count);
        if (bytes.size() != size * field.count || bytes.empty()) return;
        // Most writers declare IPTC as 32-bit integers, but it is a string of bytes.
        if (field.tag == kIptcTag) return tags.push_back({field.tag, kUndefinedType, bytes.size(), bytes});
        if (!file_.is_little()) bytes = reversed_units(std::move(bytes), unit_of(field.type));
        tags.push_back({field.tag, field.type, field.count, std::move(bytes)});
    }

    const TiffFile& file_;
    std::uint64_t bytes_ = 0;
};

std::string little_endian(std::uint64_t value, std::size_t bytes)
{
    return bytes_of_number(value, static_cast<int>(bytes), ByteOrder::little);
}

/// Lets `function` change the values of `tag`, if they are doubles.
template <class Function>
void change_doubles(TiffTag& tag, const Function& function)
{
    if (tag.type != kDoubleType) return;
    std::vector<double> numbers(tag.bytes.size() / sizeof(double));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::uint64_t bits = number_in(tag.bytes, i * sizeof(double), sizeof(double), ByteOrder::little);
        std::memcpy(&numbers[i], &bits, sizeof(double));
    }
    function(numbers);
    tag.bytes.clear();
    for (const double number : numbers) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &number, sizeof(bits));
        tag.bytes += little_endian(bits, sizeof(bits));
    }
}

/// Keeps a map's position when the result begins elsewhere. GeoTIFF 1.1, 7.2: a tie point is column, row, level and
/// three coordinates; the matrix has 4 rows of 4 numbers.
void move_on_map(TiffTag& tag, Position moved)
{
    if (tag.tag == kTiePoints)
        change_doubles(tag, [&](std::vector<double>& points) {
            for (std::size_t i = 0; i + 6 <= points.size(); i += 6) {
                points[i] -= moved.x;
                points[i + 1] -= moved.y;
            }
        });
    if (tag.tag == kToMap)
        change_doubles(tag, [&](std::vector<double>& matrix) {
            for (std::size_t row = 0; row + 4 <= matrix.size(); row += 4)
                matrix[row + 3] += matrix[row] * moved.x + matrix[row + 1] * moved.y;
        });
    if (tag.tag == kCameraModel)  // two errors, then the offsets of lines and samples
        change_doubles(tag, [&](std::vector<double>& model) {
            if (model.size() < 4) return;
            model[2] -= moved.y;
            model[3] -= moved.x;
        });
}

void set_number(std::vector<TiffTag>& tags, std::uint16_t number, int value)
{
    for (TiffTag& tag : tags)
        if (tag.tag == number && tag.count == 1 && tag.bytes.size() <= 4)
            tag.bytes = little_endian(static_cast<std::uint64_t>(value), tag.bytes.size());
}

TiffTag extra_samples_tag(const std::vector<std::uint16_t>& meanings)
{
    constexpr std::uint16_t short_type = 3;
    TiffTag tag{kExtraSamples, short_type, meanings.size()};
    for (const std::uint16_t meaning : meanings) tag.bytes += little_endian(meaning, 2);
    return tag;
}

/// The page's tags, corrected to be true of the new file.
std::vector<TiffTag> corrected_tags(const PageTags& page)
{
    std::vector<TiffTag> tags = *page.tags;
    if (!page.has_all_pages)
        std::erase_if(tags, [](const TiffTag& tag) {
            return tag.tag == kImagejCounts || tag.tag == kImagej || tag.tag == kPageNumber;
        });
    for (TiffTag& tag : tags) {
        move_on_map(tag, page.moved);
        if (tag.tag == kXmpTag) tag.bytes = page.change.xmp(tag.bytes);
        if (tag.tag == kPhotoshopTag) tag.bytes = without_photoshop_thumbnail(tag.bytes);
        if (tag.tag == kGdalNodata && page.change.nodata) {
            tag.bytes = *page.change.nodata + '\0';
            tag.count = tag.bytes.size();
        }
        if (tag.tag == kXmpTag || tag.tag == kPhotoshopTag) tag.count = tag.bytes.size() / unit_of(tag.type);
        if (tag.tag != kExifTag) continue;
        if (page.change.size) {
            set_number(tag.directory, 0xA002, page.change.size->width);
            set_number(tag.directory, 0xA003, page.change.size->height);
        }
        if (page.change.is_srgb_now) set_number(tag.directory, 0xA001, 1);
    }
    std::erase_if(tags, [](const TiffTag& tag) { return tag.bytes.empty() && tag.directory.empty(); });
    return tags;
}

/// Builds directories and values that are then appended to a file.
class DirectoryWriter {
public:
    DirectoryWriter(const TiffFile& file, std::uint64_t begin) : file_(file), begin_(begin) {}

    /// A field of a directory. `room` holds its values, or their offset, as the file stores them.
    struct Entry {
        std::uint16_t tag = 0;
        std::uint16_t type = 0;
        std::uint64_t count = 0;
        std::string room = {};
    };

    /// The entry of a tag. Values that do not fit into the entry are appended.
    Entry entry_of(const TiffTag& tag)
    {
        if (!tag.directory.empty()) {
            std::vector<Entry> entries;
            for (const TiffTag& inner : tag.directory)
                if (is_possible(inner)) entries.push_back(entry_of(inner));
            const std::uint64_t place = add_directory(std::move(entries), 0);
            return {tag.tag, file_.is_big() ? kLong8 : kLongType, 1, number(place, room())};
        }
        std::string bytes = file_.is_little() ? tag.bytes : reversed_units(tag.bytes, unit_of(tag.type));
        if (bytes.size() > room()) bytes = number(add(bytes), room());
        bytes.resize(room(), '\0');
        return {tag.tag, tag.type, tag.count, std::move(bytes)};
    }

    /// Appends a directory and returns its offset.
    std::uint64_t add_directory(std::vector<Entry> entries, std::uint64_t next)
    {
        std::ranges::stable_sort(entries, {}, &Entry::tag);
        std::string bytes = number(entries.size(), file_.is_big() ? 8 : 2);
        for (const Entry& entry : entries)
            bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, room()) + entry.room;
        return add(bytes + number(next, room()));
    }

    /// Whether this file can hold the tag: only BigTIFF has values of 64 bits.
    [[nodiscard]] bool is_possible(const TiffTag& tag) const { return file_.is_big() || tag.type < kLong8; }
    [[nodiscard]] std::size_t room() const { return file_.is_big() ? 8 : 4; }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    [[nodiscard]] std::string number(std::uint64_t value, std::size_t bytes) const
    {
        const ByteOrder order = file_.is_little() ? ByteOrder::little : ByteOrder::big;
        return bytes_of_number(value, static_cast<int>(bytes), order);
    }

    /// Appends `bytes` and returns their offset. TIFF 6.0, section 2: offsets are even.
    std::uint64_t add(const std::string& bytes)
    {
        const std::uint64_t place = begin_ + bytes_.size();
        bytes_ += bytes;
        if (bytes_.size() % 2 != 0) bytes_ += '\0';
        return place;
    }

    const TiffFile& file_;
    std::uint64_t begin_;
    std::string bytes_;
};

std::vector<DirectoryWriter::Entry> entries_of(const TiffFile& file, const TiffDirectory& directory)
{
    std::vector<DirectoryWriter::Entry> entries;
    const std::uint64_t room = file.is_big() ? 8 : 4;
    for (const TiffField& field : directory.fields)
        entries.push_back({field.tag, field.type, field.count, file.bytes(field.entry + 4 + room, room)});
    return entries;
}

/// Whether any tag must be added to the page or replaced.
bool changes_page(const std::vector<TiffTag>& tags, const TiffDirectory& directory)
{
    return std::ranges::any_of(tags, [&](const TiffTag& tag) {
        return directory.field(tag.tag) == nullptr || std::ranges::find(kCopiedTags, tag.tag) != kCopiedTags.end();
    });
}

/// Appends a new directory for the page that `pointer` points to. Returns the offset at which the new directory holds
/// the offset of the next page. None if offsets of 32 bits do not reach so far.
std::optional<std::uint64_t> put_page(TiffFile& file, std::uint64_t pointer, const TiffDirectory& directory,
                                      const std::vector<TiffTag>& tags)
{
    const std::uint64_t begin = (file.size() + 15) / 16 * 16;
    DirectoryWriter writer(file, begin);
    std::vector<DirectoryWriter::Entry> entries = entries_of(file, directory);
    for (const TiffTag& tag : tags) {
        const bool is_copied = std::ranges::find(kCopiedTags, tag.tag) != kCopiedTags.end();
        if (!writer.is_possible(tag) || (!is_copied && directory.field(tag.tag) != nullptr)) continue;
        std::erase_if(entries, [&](const DirectoryWriter::Entry& entry) { return entry.tag == tag.tag; });
        entries.push_back(writer.entry_of(tag));
    }
    const std::uint64_t place = writer.add_directory(std::move(entries), directory.next);
    constexpr std::uint64_t reach = 0xFFFFFFFF;
    if (!file.is_big() && begin + writer.bytes().size() > reach) return std::nullopt;
    if (!file.append(begin, writer.bytes()) || !file.set_offset(pointer, place))
        throw InputError("its tags could not be written");
    const std::optional<TiffDirectory> written = file.directory(place);
    if (!written) throw InputError("its tags could not be written");
    return written->next_place;
}

/// In place, also in files that offsets of 32 bits do not reach.
void set_photometric(TiffFile& file, const TiffDirectory& page, std::uint16_t photometric)
{
    const TiffField* field = page.field(kPhotometric);
    if (field == nullptr || !file.set_value(*field, 0, photometric)) throw InputError("its tags could not be written");
}

/// tiff_tags()
std::vector<TiffTag> tags_in(const TiffFile& file, std::uint64_t place)
{
    constexpr int deepest = 2;  // a page, its Exif, and what that names
    if (!file.is_tiff()) return {};
    TagReader reader(file);
    std::vector<TiffTag> tags = reader.read(place == 0 ? file.offset_at(file.first_place()) : place, true, deepest);
    if (reader.is_too_much()) tags.clear();
    return tags;
}

/// Nothing if there is no such tag.
std::string bytes_of(std::uint16_t number, const std::vector<TiffTag>& tags)
{
    const auto found = std::ranges::find(tags, number, &TiffTag::tag);
    return found == tags.end() ? std::string() : found->bytes;
}

}  // namespace

std::vector<TiffTag> tiff_tags(const std::filesystem::path& path, std::uint64_t place)
{
    return tags_in(TiffFile(path), place);
}

NewDirectory directory_with(const TiffFile& file, const TiffDirectory& page, const std::vector<TiffTag>& tags,
                            std::uint64_t begin)
{
    DirectoryWriter writer(file, begin);
    std::vector<DirectoryWriter::Entry> entries = entries_of(file, page);
    for (const TiffTag& tag : tags) {
        std::erase_if(entries, [&](const DirectoryWriter::Entry& entry) { return entry.tag == tag.tag; });
        entries.push_back(writer.entry_of(tag));
    }
    const std::uint64_t place = writer.add_directory(std::move(entries), page.next);
    return {place, writer.bytes()};
}

std::string tiff_xmp(const std::vector<TiffTag>& tags) { return bytes_of(kXmpTag, tags); }

std::string tiff_iptc(const std::vector<TiffTag>& tags)
{
    const std::string own = bytes_of(kIptcTag, tags);
    return own.empty() ? iptc_in(bytes_of(kPhotoshopTag, tags)) : own;
}

std::vector<TiffTag> tags_of(const EmbeddedBlocks& blocks)
{
    constexpr std::uint16_t byte = 1;
    std::vector<TiffTag> tags;
    if (!blocks.exif.empty()) tags = tags_in(TiffFile(blocks.exif), 0);
    std::erase_if(
        tags, [](const TiffTag& tag) { return tag.tag == kXmpTag || tag.tag == kPhotoshopTag || tag.tag == kIptcTag; });
    if (!blocks.xmp.empty()) tags.push_back({kXmpTag, byte, blocks.xmp.size(), blocks.xmp});
    if (!blocks.photoshop.empty()) tags.push_back({kPhotoshopTag, byte, blocks.photoshop.size(), blocks.photoshop});
    const std::string iptc =
        iptc_in(blocks.photoshop);  // for which TIFF has a tag of its own, where readers look first
    if (!iptc.empty()) tags.push_back({kIptcTag, kUndefinedType, iptc.size(), iptc});
    return tags;
}

std::string exif_of(const std::vector<TiffTag>& tags, const std::string& description, int orientation)
{
    constexpr std::uint16_t text = 2;
    constexpr std::uint16_t short_type = 3;
    constexpr std::uint64_t head_bytes = 8;
    // Tags of the page itself: maker, model, resolution, software, date, artist, copyright (Exif 2.32, table 4).
    constexpr std::array<std::uint16_t, 11> of_exif{271, 272, 282, 283, 296, 305, 306, 315, 33432, kExifTag, kGpsTag};
    const TiffFile head(std::string("II\x2A\0\x08\0\0\0", head_bytes));
    DirectoryWriter writer(head, head_bytes);
    std::vector<DirectoryWriter::Entry> entries;
    for (const TiffTag& tag : tags)
        if (std::ranges::find(of_exif, tag.tag) != of_exif.end() && writer.is_possible(tag))
            entries.push_back(writer.entry_of(tag));
    if (!description.empty())
        entries.push_back(writer.entry_of({270, text, description.size() + 1, description + '\0'}));
    if (orientation > 1)
        entries.push_back(
            writer.entry_of({274, short_type, 1, little_endian(static_cast<std::uint64_t>(orientation), 2)}));
    if (entries.empty()) return {};
    const std::uint64_t place = writer.add_directory(std::move(entries), 0);
    return "II" + little_endian(42, 2) + little_endian(place, 4) + writer.bytes();
}

void put_tiff_tags(const std::filesystem::path& path, const std::vector<PageTags>& pages)
{
    TiffFile file(path, TiffFile::Access::change);
    if (!file.is_tiff()) throw InputError("it is not a valid TIFF");
    std::uint64_t pointer = file.first_place();
    for (const PageTags& page : pages) {
        const std::optional<TiffDirectory> directory = file.directory(file.offset_at(pointer));
        if (!directory) throw InputError("one of its pages is missing");
        if (page.meaning.photometric) set_photometric(file, *directory, *page.meaning.photometric);
        std::vector<TiffTag> tags = page.tags ? corrected_tags(page) : std::vector<TiffTag>();
        if (!page.meaning.extra_samples.empty()) tags.push_back(extra_samples_tag(page.meaning.extra_samples));
        if (!changes_page(tags, *directory)) {
            pointer = directory->next_place;
            continue;
        }
        const std::optional<std::uint64_t> next = put_page(file, pointer, *directory, tags);
        if (!next) return;
        pointer = *next;
    }
}

}  // namespace clconv::oiio
