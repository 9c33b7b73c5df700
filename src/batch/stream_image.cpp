// SPDX-License-Identifier: Apache-2.0
#include "batch/stream_image.h"

#include "base/clock.h"
#include "base/errors.h"
#include "batch/damage.h"
#include "batch/result_check.h"
#include "codecs/row_reader.h"
#include "codecs/row_window.h"
#include "conv/axis.h"
#include "encoders/output_light.h"
#include "encoders/row_writer.h"
#include "image/nonfinite.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <future>
#include <map>
#include <optional>
#include <utility>

namespace clconv {
namespace {

std::size_t row_bytes(const Image& header)
{
    return header.view().bytes() / static_cast<std::size_t>(header.extent.height);
}

/// A few rows from which the bias is estimated: evenly spread if that is cheap, else the first ones.
Bytes sampled_rows(RowReader& reader, int count)
{
    const int height = reader.header().extent.height;
    const std::size_t bytes = row_bytes(reader.header());
    Bytes samples(bytes * static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const int row = reader.seeks() ? static_cast<int>((2LL * i + 1) * height / (2LL * count)) : i;
        reader.read(row, 1, samples.data() + static_cast<std::size_t>(i) * bytes);
    }
    return samples;
}

/// `bad`, and what else is known of the samples of its file.
NonFinite of_file(NonFinite bad, const Image& header)
{
    bad.nodata = header.nodata;
    bad.were_doubles = header.stored_type == FileType::float64 && header.type == SampleType::float32;
    return bad;
}

/// All samples of the file that are not finite.
NonFinite nonfinite_in_file(const std::filesystem::path& path, const DecodeRules& rules)
{
    RowReader reader(path, Light::stored, rules);
    const Image& header = reader.header();
    const int block = static_cast<int>(std::max<std::size_t>(1, (std::size_t{16} << 20U) / row_bytes(header)));
    Bytes samples(row_bytes(header) * static_cast<std::size_t>(block));
    NonFinite all;
    for (int first = 0; first < header.extent.height; first += block) {
        const int count = std::min(block, header.extent.height - first);
        reader.read(first, count, samples.data());
        NonFinite some = find_nonfinite({{header.extent.width, count}, header.channels, header.type, samples.data()});
        if (some.count > 0) some.channel = header.file_channel(some.channel);
        add_rows(all, some, first);
    }
    return of_file(all, header);
}

/// The samples of an image that are not finite, of the rows that have some. A border that needs rows again (wrap) does
/// not count them twice.
using BadRows = std::map<int, NonFinite>;

void add_bad_rows(BadRows& all, const Image& header, const RowWindow::Rows& rows)
{
    ImageView row = rows.view;
    row.extent.height = 1;
    for (int y = 0; y < rows.view.extent.height; ++y, row.samples += row.bytes()) {
        NonFinite bad = find_nonfinite(row);
        if (bad.count == 0) continue;
        bad.channel = header.file_channel(bad.channel);
        all.emplace(rows.first + y, bad);
    }
}

NonFinite sum_of(const BadRows& rows, const Image& header)
{
    NonFinite all;
    for (const auto& [y, bad] : rows) add_rows(all, bad, y);
    return of_file(all, header);
}

/// Applies the rule to rows that were just read, and adds those of their samples to `all`. If it cannot, throws
/// InputError about the whole file.
void treat_nonfinite(const StreamTask& task, const Image& header, const std::vector<RowWindow::Rows>& read,
                     BadRows& all)
{
    for (const RowWindow::Rows& rows : read) {
        if (find_nonfinite(rows.view).count == 0) continue;
        add_bad_rows(all, header, rows);
        if (task.nonfinite == NonFiniteRule::propagate) continue;
        if (task.nonfinite == NonFiniteRule::error)
            require_finite(task.input, nonfinite_in_file(task.input, task.decode));
        if (task.nonfinite == NonFiniteRule::interpolate)
            throw InputError(describe(task.input, nonfinite_in_file(task.input, task.decode)) +
                             "; --nonfinite interpolate needs the whole image in memory: raise --memory-limit, or use "
                             "--nonfinite zero");
        zero_nonfinite(rows.view, rows.samples);
    }
}

/// Writes bands in the background, one at a time.
class BandWriter {
public:
    BandWriter(const StreamTask& task, const Image& header, int band_rows)
        : task_(task),
          writer_(task.rows ? task.rows(header) : std::make_unique<RowWriter>(task.output, header, task.write)),
          bands_{Bytes(row_bytes(header) * static_cast<std::size_t>(band_rows)),
                 Bytes(row_bytes(header) * static_cast<std::size_t>(band_rows))},
          kept_row_bytes_(header.split ? header.split->kept_row_bytes() : 0),
          kept_{Bytes(kept_row_bytes_ * static_cast<std::size_t>(band_rows)),
                Bytes(kept_row_bytes_ * static_cast<std::size_t>(band_rows))}
    {
    }

    /// Memory for the next band.
    [[nodiscard]] std::byte* next() { return bands_[which_].data(); }

    /// Copies the input's copied channels for the next band: rows first .. first + count - 1.
    void keep(const RowWindow& window, int first, int count, int height)
    {
        if (kept_row_bytes_ == 0) return;
        std::byte* to = kept_[which_].data();
        for (int y = first; y < first + count; ++y, to += kept_row_bytes_) {
            if (y >= 0 && y < height)
                std::memcpy(to, window.kept_row(y), kept_row_bytes_);
            else
                std::memset(to, 0, kept_row_bytes_);
        }
    }

    /// Starts to write the rows that are there now.
    void write(int count)
    {
        wait();
        writing_ = std::async(std::launch::async, [this, count, samples = next(), kept = kept_[which_].data()] {
            const Clock::time_point start = Clock::now();
            const CodecMark mark(task_.board, task_.item, CodecKind::encoder);
            writer_->write(samples, count, kept);
            time_ += Clock::now() - start;
        });
        which_ = 1 - which_;
    }

    /// Returns the time of all writing.
    Seconds finish()
    {
        wait();
        const Clock::time_point start = Clock::now();
        const CodecMark mark(task_.board, task_.item, CodecKind::encoder);
        writer_->finish();
        return time_ + (Clock::now() - start);
    }

private:
    void wait()
    {
        if (writing_.valid()) writing_.get();
    }

    const StreamTask& task_;
    std::unique_ptr<RowSink> writer_;
    std::array<Bytes, 2> bands_;
    std::size_t kept_row_bytes_;  ///< 0 if nothing is copied
    std::array<Bytes, 2> kept_;
    std::size_t which_ = 0;
    Seconds time_{0};
    std::future<void> writing_;  ///< the last member: its destructor waits for users of the others
};

}  // namespace

std::uint64_t band_memory(const Image& image, std::uint64_t memory)
{
    if (!image.split) return memory;
    const double share = static_cast<double>(image.view().bytes()) / static_cast<double>(image.bytes());
    return static_cast<std::uint64_t>(static_cast<double>(memory) * share);
}

Streamed stream_image(Convolver& convolver, const StreamTask& task, const std::shared_ptr<const Psf>& psf)
{
    Streamed result;
    CodecMark mark(task.board, task.item, CodecKind::decoder);
    RowReader reader(task.input, task.light, task.decode);
    const Image& image = reader.header();
    const Clock::time_point start = Clock::now();
    const int sampled = std::min(64, image.extent.height);
    Bytes sample = sampled_rows(reader, sampled);
    ImageView view = image.view();
    view.light = task.samples.light;
    ImageView sample_view = view;
    sample_view.extent.height = sampled;
    sample_view.samples = sample.data();
    if (task.nonfinite == NonFiniteRule::zero) zero_nonfinite(sample_view, sample.data());
    Seconds read_time = Clock::now() - start;

    mark.pause();
    const BandedConvolution banded =
        convolver.banded(view, psf, task.samples.type, sample_view, band_memory(image, task.memory));
    const Pieces& pieces = banded.pieces();
    result.plan = describe(pieces);
    result.image = without_samples(result_header(image, pieces.whole, task.samples));

    RowWindow window(reader, std::min(pieces.plan.problem.image.height, image.extent.height));
    BandWriter writer(task, result.image, pieces.rows.size);
    const bool keeps_alpha = image.alpha_channel >= 0 && (task.alpha == AlphaRule::keep || image.keeps_alpha);
    const ImageRows rows = [&window](int row) { return window.row(row); };
    const auto codes = output_transfer(image, task.output, result.image.stored_type, task.write.strip_metadata);
    BadRows bad_rows;
    int first = 0;
    for (int band = 0; band < banded.bands(); ++band) {
        const Clock::time_point read_start = Clock::now();
        mark.resume();
        treat_nonfinite(task, image, window.hold(band_rows(pieces, band)), bad_rows);
        mark.pause();
        read_time += Clock::now() - read_start;
        result.image.overflowed += convolver.convolve_band(banded, band, rows, writer.next(), result.times);
        const int count = banded.new_rows(band);
        if (judges_results(task.nonfinite, !bad_rows.empty()))
            result.image.overflowed += count_overflow(
                task.input, image,
                {{{result.image.extent.width, count}, image.channels, task.samples.type, writer.next()}, first},
                {result.image.stored_type, codes.get(), task.clips_light});
        if (keeps_alpha) KeptAlpha{pieces.whole, image.alpha_channel}.write(first, count, rows, writer.next());
        writer.keep(window, first + result.image.place.y, count, image.extent.height);
        writer.write(count);
        first += count;
    }
    add_time(result.times, stage::kWrite, writer.finish());
    warn_of_damage(result.warnings, task.input, image.damage);
    if (const NonFinite bad = sum_of(bad_rows, image); bad.count > 0)
        result.notes.push_back(note_of(task.input, bad, task.nonfinite, true));
    if (std::optional<Warning> rounding = reader.rounding()) result.warnings.push_back(std::move(*rounding));
    result.times.insert(result.times.begin(), {std::string(stage::kRead), read_time});
    return result;
}

}  // namespace clconv
