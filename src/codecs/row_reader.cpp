// SPDX-License-Identifier: Apache-2.0
#include "codecs/row_reader.h"

#include "base/errors.h"
#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/nodata_samples.h"
#include "codecs/split_channels.h"
#include "codecs/white_zero.h"
#include "codecs/wide_integers.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <string_view>

namespace clconv {
namespace {

std::size_t row_bytes(const Image& header)
{
    return static_cast<std::size_t>(header.extent.width) * static_cast<std::size_t>(header.channels) *
           bytes_of(header.type);
}

}  // namespace

struct RowReader::State {
    std::filesystem::path path;
    DecodeRules rules;
    oiio::OpenFile file;
    oiio::WideIntegers wide{file.header};
    /// Tiled files: the last row of tiles, from which neighbouring bands take their parts.
    Bytes tile_row = {};
    int tile_row_first = -1;
    Bytes unwanted = {};  ///< copied channels that are not requested

    [[nodiscard]] const oiio::FileHeader& spec() const { return file.header.metadata->spec; }
    [[nodiscard]] oiio::Decoding decoding() const { return {path, *file.input, file.header, rules}; }

    void read_tile_row(int first, int count)
    {
        const oiio::FileHeader& s = spec();
        if (tile_row.size() == 0) tile_row = Bytes(row_bytes(file.header) * static_cast<std::size_t>(s.tile_height));
        tile_row_first = -1;
        fill(tile_row.data(), count, [&] {
            return oiio::read_tile_rows(*file.input, {first, first + count}, oiio::type_desc(file.header.type),
                                        tile_row.data());
        });
        oiio::mark_missing(decoding(), {first, first + count}, tile_row.data());
        tile_row_first = first;
    }

    void read_tiles(int first, int count, std::byte* samples)
    {
        const int height = spec().tile_height;
        const std::size_t bytes = row_bytes(file.header);
        for (int row = first; row < first + count;) {
            const int top = row / height * height;
            const int bottom = std::min(top + height, file.header.extent.height);
            if (top != tile_row_first) read_tile_row(top, bottom - top);
            const int end = std::min(bottom, first + count);
            std::memcpy(samples, tile_row.data() + static_cast<std::size_t>(row - top) * bytes,
                        static_cast<std::size_t>(end - row) * bytes);
            samples += static_cast<std::size_t>(end - row) * bytes;
            row = end;
        }
    }

    void read_scanlines(int first, int count, std::byte* samples)
    {
        fill(samples, count, [&] {
            return oiio::read_rows(*file.input, {first, first + count}, oiio::type_desc(file.header.type), samples,
                                   rules.keeps_damaged);
        });
        oiio::mark_missing(decoding(), {first, first + count}, samples);
    }

    void read_split(int first, int count, std::byte* samples, std::byte* kept)
    {
        const std::size_t bytes = file.header.split->kept_row_bytes() * static_cast<std::size_t>(count);
        if (!kept && unwanted.size() < bytes) unwanted = Bytes(bytes);
        note(oiio::read_split_rows(decoding(), first, count, samples, kept ? kept : unwanted.data()));
        oiio::mark_missing(decoding(), {first, first + count}, samples);
    }

    void fill(std::byte* samples, int rows, const std::function<bool()>& decode)
    {
        const std::size_t bytes = row_bytes(file.header) * static_cast<std::size_t>(rows);
        note(oiio::fill_samples(decoding(), {samples, bytes}, decode));
    }

    void note(const std::string& damage)
    {
        if (file.header.damage.empty()) file.header.damage = damage;
    }
};

RowReader::RowReader(const std::filesystem::path& path, Light light, const DecodeRules& rules)
    : state_(new State{path, rules, oiio::open_file(path, light, rules)})
{
    oiio::note_parts(path, state_->file.header, *oiio::open_file(path, light, rules).input);
    oiio::keep_true_description(state_->file.header);
}
RowReader::~RowReader() = default;

const Image& RowReader::header() const { return state_->file.header; }

std::optional<Warning> RowReader::rounding() const { return state_->wide.warning(state_->path); }

bool RowReader::seeks() const { return format_named(header().metadata->format).seeks; }

void RowReader::read(int first, int count, std::byte* samples, std::byte* kept)
{
    if (header().split)
        state_->read_split(first, count, samples, kept);
    else if (state_->spec().tile_width > 0)
        state_->read_tiles(first, count, samples);
    else
        state_->read_scanlines(first, count, samples);
    if (oiio::is_inverted(*header().metadata))
        oiio::invert_gray(samples, header().type,
                          static_cast<std::size_t>(header().extent.width) * static_cast<std::size_t>(count),
                          oiio::gray_layout(header()));
    if (header().type != SampleType::float32) return;
    const std::span<float> floats(reinterpret_cast<float*>(samples),
                                  row_bytes(header()) / sizeof(float) * static_cast<std::size_t>(count));
    state_->wide.add(floats);
    oiio::prepare_samples(header(), floats);
}

}  // namespace clconv
