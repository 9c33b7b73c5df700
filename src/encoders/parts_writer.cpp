// SPDX-License-Identifier: Apache-2.0
#include "encoders/parts_writer.h"

#include "base/ceil_div.h"
#include "base/errors.h"
#include "base/temporary_file.h"
#include "codecs/file_formats.h"
#include "encoders/encoder.h"
#include "encoders/kept_metadata.h"
#include "encoders/written_image.h"
#include "formats/gif_frames.h"
#include "formats/stack_description.h"
#include "formats/tiff_directories.h"
#include "formats/webp_chunks.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <optional>
#include <utility>

namespace clconv {

using oiio::FileHeader;

/// A part with everything that its encoder needs.
struct PreparedPart {
    oiio::WrittenImage written;
    bool by_rows = false;
    bool keeps_metadata = true;
    FileHeader header = {};
};

namespace {

/// --metadata strip also removes windows, but the parts of a file need a common display window and a name each.
void keep_shared(FileHeader& header, const FileHeader& whole)
{
    header.x = whole.x;
    header.y = whole.y;
    header.full_x = whole.full_x;
    header.full_y = whole.full_y;
    header.full_width = whole.full_width;
    header.full_height = whole.full_height;
    for (const char* name : {"oiio:subimagename", "PixelAspectRatio"})
        if (const OIIO::ParamValue* value = whole.find_attribute(name)) header.extra_attribs.push_back(*value);
}

PreparedPart prepared(const std::filesystem::path& path, const FileFormat& format, const PartToWrite& part)
{
    const WriteOptions& options = part.options;
    PreparedPart made{oiio::WrittenImage(path, format, part.header, options), part.by_rows, !options.strip_metadata};
    made.header = made.written.header(options);
    if (options.strip_metadata && format.name == "openexr") {
        WriteOptions keeping = options;
        keeping.strip_metadata = false;
        keep_shared(made.header, made.written.header(keeping));
    }
    if (part.by_rows) made.header = oiio::from_the_top_down(std::move(made.header), format);
    return made;
}

/// Corrects what the part's text says about the file's images. False if the text had to be removed.
bool correct_description(PreparedPart& part, const PartsSource& source, int parts)
{
    const std::string text = part.header.get_string_attribute("ImageDescription");
    if (!oiio::counts_images(text)) return true;
    const FileHeader& before = part.written.image().metadata->spec;
    const oiio::StackChange change{.parts_before = source.parts,
                                   .parts = parts,
                                   .all_kept = source.is_whole(),
                                   .before = {before.width, before.height},
                                   .after = part.written.image().extent,
                                   .type = part.written.type(),
                                   .same_type = oiio::type_desc(part.written.type()) == before.format};
    const std::optional<std::string> corrected = oiio::description_after(text, change);
    if (corrected)
        part.header.attribute("ImageDescription", *corrected);
    else
        part.header.erase_attribute("ImageDescription");
    return corrected.has_value();
}

/// Whether offsets of 32 bits may not reach the end of a TIFF. Compressed samples take at most a little more than
/// uncompressed ones.
bool wants_big_tiff(const std::vector<PreparedPart>& parts)
{
    constexpr std::uint64_t maximum = std::uint64_t{3900} << 20U;
    constexpr std::uint64_t head = std::uint64_t{1} << 16U;
    std::uint64_t bytes = 0;
    for (const PreparedPart& part : parts) bytes += part.header.image_bytes() + head;
    return bytes > maximum;
}

/// OpenImageIO opens all parts of an OpenEXR as the first one, in tiles or in rows.
void give_all_rows(std::vector<PreparedPart>& parts)
{
    const auto has_tiles = [](const PreparedPart& part) { return part.header.tile_width > 0; };
    if (std::ranges::all_of(parts, has_tiles)) return;
    for (PreparedPart& part : parts) part.header.tile_width = part.header.tile_height = part.header.tile_depth = 0;
}

std::uint64_t length_of(const std::filesystem::path& file) { return std::filesystem::file_size(file); }

}  // namespace

/// TIFF's pages are encoded one by one, each as a file of its own behind the others, and then joined to them. To add a
/// page, the library would walk through all directories: docs/decisions/033-pages-of-tiffs.md. Frames of a WebP are
/// encoded one by one, too, because the library writes no animations.
struct PartsWriter::State {
    State(const std::filesystem::path& path, const FileFormat& file_format, const std::vector<PartToWrite>& to_write,
          const PartsSource& from)
        : target(path), format(file_format), source(from), existing(to_write.front().options.existing), file(path)
    {
        const auto count = static_cast<int>(to_write.size());
        for (const PartToWrite& part : to_write) {
            parts.push_back(prepared(path, format, part));
            lost_description |= !correct_description(parts.back(), source, count);
        }
        if (format.name == "openexr") give_all_rows(parts);
        if (format.name == "gif") timing = oiio::gif_frames(source.path);
        if (is_tiff() && wants_big_tiff(parts))
            for (PreparedPart& part : parts) part.header.attribute("tiff:bigtiff", 1);
        if (format.name == "webp") begin_animation(to_write.front().options);
        if (is_tiff() || animation) return;
        std::vector<FileHeader> headers;
        for (const PreparedPart& part : parts) headers.push_back(part.header);
        encoder.emplace(oiio::EncodedFile{target, file.path()}, format, std::move(headers));
    }

    [[nodiscard]] bool is_tiff() const { return format.name == "tiff"; }

    /// Begins the next part, and returns its encoder.
    oiio::Encoder& begin()
    {
        const PreparedPart& part = parts.at(next);
        if (animation) {
            page.emplace(target);
            return encoder.emplace(oiio::EncodedFile{target, page->path()}, format, part.header, oiio::Held::may_be);
        }
        if (!is_tiff()) {
            if (next > 0) encoder->next();
            return *encoder;
        }
        constexpr std::uint64_t alignment = 16;
        page_begin = next == 0 ? 0 : rounded_up(length_of(file.path()), alignment);
        const oiio::Held held = part.by_rows ? oiio::Held::must_not_be : oiio::Held::may_be;
        if (part.by_rows && next > 0) {
            page.emplace(target);  // the file may be too large to be held in memory
            return encoder.emplace(oiio::EncodedFile{target, page->path()}, format, part.header, held);
        }
        return encoder.emplace(oiio::EncodedFile{target, file.path(), page_begin}, format, part.header, held);
    }

    void end()
    {
        if (is_tiff()) {
            encoder->close();
            encoder.reset();
            if (page) append_page();
            join_page();
        }
        if (animation) {
            encoder->close();
            encoder.reset();
            or_fail([&] { animation->add(page->path(), duration_of(next)); });
            page.reset();
        }
        ++next;
    }

    void begin_animation(const WriteOptions& options)
    {
        animation_options = options;
        shown = oiio::webp_animation(source.path);
        const Extent extent = parts.front().written.image().extent;
        for (const PreparedPart& part : parts)
            if (part.written.image().extent != extent) throw InternalError("frames of an animation differ in size");
        or_fail([&] { animation.emplace(file.path(), extent, shown); });
    }

    [[nodiscard]] std::uint32_t duration_of(std::size_t part) const
    {
        const auto from = static_cast<std::size_t>(source.chosen.at(part));
        return from < shown.durations.size() ? shown.durations[from] : 0;
    }

    void finish_animation()
    {
        or_fail([&] { animation->finish(); });
        oiio::keep_metadata(file.path(), target, parts.front().written, format, animation_options);
    }

    void append_page()
    {
        oiio::OutputStream stream(file.path(), page_begin);
        std::ifstream from(page->path(), std::ios::binary);
        std::vector<char> block(std::size_t{1} << 20U);
        while (from.read(block.data(), static_cast<std::streamsize>(block.size())) || from.gcount() > 0)
            stream.write(block.data(), static_cast<std::size_t>(from.gcount()));
        stream.close();
        if (stream.first_error() != 0) fail(std::strerror(stream.first_error()));
        page.reset();
    }

    void join_page()
    {
        if (next == 0) {
            const oiio::TiffFile written(file.path());
            const oiio::TiffPages pages = oiio::tiff_pages(written);
            if (pages.directories.size() != 1) fail("its first page is incomplete");
            last_next = pages.directories.front().next_place;
            return;
        }
        const std::optional<std::uint64_t> joined = oiio::join_tiff(file.path(), page_begin, last_next);
        if (!joined) fail("its pages could not be put together");
        last_next = *joined;
    }

    void finish()
    {
        if (next != parts.size()) throw InternalError("a file was finished before all of its parts were written");
        if (animation) finish_animation();
        if (encoder) encoder->close();
        if (format.name == "gif") set_timing();
        if (is_tiff()) keep_tags();
        file.commit(existing);
    }

    /// Adds the tags that OpenImageIO leaves out.
    void keep_tags() const
    {
        std::vector<oiio::PageTags> pages;
        for (const PreparedPart& part : parts)
            pages.push_back(part.keeps_metadata ? oiio::page_tags(part.written, source.is_whole())
                                                : oiio::PageTags{.meaning = part.written.meaning()});
        or_fail([&] { oiio::put_tiff_tags(file.path(), pages); });
    }

    /// The library's writer gives all frames one delay.
    void set_timing()
    {
        oiio::GifFrames wanted = timing;
        wanted.frames.resize(source.chosen.size());
        for (std::size_t i = 0; i < source.chosen.size(); ++i)
            if (const auto from = static_cast<std::size_t>(source.chosen[i]); from < timing.frames.size())
                wanted.frames[i] = timing.frames[from];
        if (!oiio::set_gif_timing(file.path(), wanted)) fail("its frames' delays could not be written");
    }

    [[noreturn]] void fail(const std::string& why) const
    {
        throw InputError(target.string() + ": cannot be written: " + why);
    }

    /// Adds the file's name to what a function throws.
    template <class Function>
    void or_fail(const Function& function) const
    {
        try {
            function();
        } catch (const InputError& error) {
            fail(error.what());
        }
    }

    std::filesystem::path target;
    const FileFormat& format;
    PartsSource source;
    Existing existing;
    std::vector<PreparedPart> parts;
    bool lost_description = false;
    oiio::GifFrames timing;
    oiio::WebpAnimation shown;
    WriteOptions animation_options;
    std::optional<oiio::WebpAnimationWriter> animation;
    TemporaryFile file;
    std::optional<TemporaryFile> page;
    std::uint64_t page_begin = 0;
    std::uint64_t last_next = 0;
    std::size_t next = 0;
    std::optional<oiio::Encoder> encoder;
};

/// One part's rows.
class PartsWriter::PartRows final : public RowSink {
public:
    explicit PartRows(State& state) : state_(state), part_(state.parts.at(state.next)), encoder_(state.begin()) {}

    void write(const std::byte* samples, int count, const std::byte* kept) override
    {
        const oiio::WrittenImage& written = part_.written;
        const oiio::KeptRows kept_rows = written.kept_rows_at(kept, next_row_);
        oiio::write_rows(written.given().view(), samples, next_row_, count, [&](const ImageView& view, int first) {
            written.encode(view, first, kept_rows,
                           [&](const std::byte* rows) { encoder_.write_rows(first, view.extent.height, rows); });
        });
        next_row_ += count;
    }

    void finish() override
    {
        if (next_row_ != part_.written.given().extent.height)
            throw InternalError("a part was finished before all of its rows were written");
        state_.end();
    }

private:
    State& state_;
    const PreparedPart& part_;
    oiio::Encoder& encoder_;
    int next_row_ = 0;
};

PartsWriter::PartsWriter(const std::filesystem::path& path, const std::vector<PartToWrite>& parts,
                         const PartsSource& source)
    : state_(new State(path, file_format_of(path), parts, source))
{
}

PartsWriter::~PartsWriter() = default;

bool PartsWriter::has_lost_description() const { return state_->lost_description; }

void PartsWriter::write(const Image& part)
{
    const PreparedPart& next = state_->parts.at(state_->next);
    next.written.encode(part.view(), 0, oiio::kept_rows(part),
                        [this](const std::byte* pixels) { state_->begin().write_all(pixels); });
    state_->end();
}

std::unique_ptr<RowSink> PartsWriter::rows() { return std::make_unique<PartRows>(*state_); }

void PartsWriter::finish() { state_->finish(); }

bool PartsSource::is_whole() const
{
    std::vector<int> all(static_cast<std::size_t>(parts));
    std::iota(all.begin(), all.end(), 0);
    return chosen == all;
}

bool holds_parts(const std::filesystem::path& output, const Image& image)
{
    const FileFormat& format = file_format_of(output);
    return format.holds_parts && image.metadata && image.metadata->format == format.name;
}

}  // namespace clconv
