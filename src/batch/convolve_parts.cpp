// SPDX-License-Identifier: Apache-2.0
#include "batch/convolve_parts.h"

#include "base/clock.h"
#include "base/errors.h"
#include "batch/damage.h"
#include "batch/result_check.h"
#include "codecs/image_file.h"
#include "codecs/parts_reader.h"
#include "encoders/kept_notes.h"
#include "encoders/output_light.h"
#include "encoders/parts_writer.h"
#include "encoders/row_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <optional>
#include <utility>

namespace clconv {
namespace {

/// Parts in work at a time, besides those that are read ahead: convolved, checked, written.
constexpr std::uint64_t kInHand = 3;
constexpr std::uint64_t kPartsAhead = 4;

/// The name of a part in messages.
std::filesystem::path name_of_part(const PartsTask& task, std::size_t which)
{
    return fmt::format("{}: part {}", task.input.string(), task.parts[which]);
}

/// Appends the values that the list does not have yet.
template <class Value>
void add_new(std::vector<Value>& values, const std::vector<Value>& more)
{
    for (const Value& value : more)
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// Bytes of a part and its result.
std::uint64_t bytes_of_part(const Image& part)
{
    return 2 * part.view().bytes() + (part.split ? part.split->kept_bytes() : 0);
}

void check_output(const PartsTask& task, const Image& first)
{
    if (holds_parts(task.output, first)) return;
    throw InputError(
        fmt::format("{}: has {} parts (pages or frames) to convolve, and {} holds one: put {{part}} into --name, such "
                    "as '{{stem}}_{{part}}{{ext}}', for one file each, or choose one with --parts first",
                    task.input.string(), task.parts.size(), task.output.string()));
}

struct ReadPart {
    std::shared_ptr<const Image> image;
    Seconds time{0};
    NonFinite bad;
};

/// Prefetches parts: reads them before they are needed.
class ReadAhead {
public:
    ReadAhead(const PartsTask& task, const PartsReader& reader) : task_(task), reader_(reader) {}

    /// Whether a part is read as a whole; otherwise it is processed by bands.
    [[nodiscard]] bool is_held(std::size_t which) const
    {
        const Image& header = reader_.headers()[which];
        return !goes_by_bands(header, is_read_by_rows(header), task_.output, task_.image_memory);
    }

    /// The part `which`, which must be the next held one.
    [[nodiscard]] ReadPart next(std::size_t which)
    {
        fill(which);
        ReadPart part = reading_.front().get();
        reading_.pop_front();
        fill(which + 1);
        return part;
    }

private:
    /// Starts to read parts from `first` on: as many as memory allows, up to the next one that is processed by bands.
    void fill(std::size_t first)
    {
        for (std::size_t which = first + reading_.size();
             which < task_.parts.size() && reading_.size() < ahead(which) && is_held(which); ++which)
            reading_.push_back(std::async(std::launch::async, [this, which] { return read(which); }));
    }

    [[nodiscard]] std::size_t ahead(std::size_t which) const
    {
        if (!reader_.reads_in_any_order()) return 1;
        const Image& header = reader_.headers()[which];
        const std::uint64_t fit = parts_memory(header, task_.image_memory) / bytes_of_part(header);
        return std::clamp<std::uint64_t>(fit - std::min(fit, kInHand), 1, kPartsAhead);
    }

    [[nodiscard]] ReadPart read(std::size_t which) const
    {
        const CodecMark mark(task_.board, task_.item, CodecKind::decoder);
        const Clock::time_point start = Clock::now();
        auto image = std::make_shared<Image>(reader_.read(which, task_.allocate));
        const NonFinite bad = treat_nonfinite(name_of_part(task_, which), *image, task_.nonfinite);
        return {std::move(image), Clock::now() - start, bad};
    }

    const PartsTask& task_;
    const PartsReader& reader_;
    std::deque<std::future<ReadPart>> reading_;  ///< the last member: its end waits for what uses the others
};

/// Checks and writes results in the background, one at a time.
class WriteBehind {
public:
    WriteBehind(const PartsTask& task, PartsWriter& writer) : task_(task), writer_(writer) {}

    void write(std::shared_ptr<const Image> image, std::size_t which)
    {
        wait();
        writing_ = std::async(std::launch::async, [this, which, image = std::move(image)] {
            const Clock::time_point start = Clock::now();
            const CodecMark mark(task_.board, task_.item, CodecKind::encoder);
            overflowed_ += image->overflowed;
            overflowed_ += beyond_type(*image, which);
            writer_.write(*image);
            time_ += Clock::now() - start;
        });
    }

    void wait()
    {
        if (writing_.valid()) writing_.get();
    }

    /// Valid after wait().
    [[nodiscard]] std::size_t overflowed() const { return overflowed_; }
    [[nodiscard]] Seconds time() const { return time_; }

private:
    [[nodiscard]] std::size_t beyond_type(const Image& result, std::size_t which) const
    {
        if (!judges_results(task_.nonfinite, result.has_nonfinite)) return 0;
        const auto codes = output_transfer(result, task_.output, result.stored_type, task_.strips_metadata);
        return count_overflow(name_of_part(task_, which), result, {result.view()},
                              {result.stored_type, codes.get(), task_.clips_light});
    }

    const PartsTask& task_;
    PartsWriter& writer_;
    std::size_t overflowed_ = 0;
    Seconds time_{0};
    std::future<void> writing_;  ///< the last member: its end waits for what uses the others
};

/// Images in flight on `worker`. The destructor waits for them, because they would not outlive it.
class InFlight {
public:
    explicit InFlight(PartWorker& worker) : worker_(worker) {}
    ~InFlight()
    {
        try {
            while (!images_.empty()) static_cast<void>(finish());
        } catch (const std::exception&) {  // the device will also fail the next image, which then reports it
        }
    }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    [[nodiscard]] bool is_full() const { return images_.size() >= worker_.capacity(); }
    [[nodiscard]] bool is_empty() const { return images_.empty(); }
    void start(const std::shared_ptr<const Image>& image)
    {
        worker_.start(image);
        images_.push_back(image);
    }
    [[nodiscard]] Convolved finish()
    {
        const std::shared_ptr<const Image> image = images_.front();
        images_.pop_front();
        return worker_.finish();
    }

private:
    PartWorker& worker_;
    std::deque<std::shared_ptr<const Image>> images_;
};

class Parts {
public:
    Parts(const PartsTask& task, PartWorker& worker)
        : task_(task),
          worker_(worker),
          reader_(task.input, task.parts, task.light, task.decode),
          read_(task, reader_),
          writer_(task.output, parts_to_write(), {task.input, reader_.parts_in_file(), task.parts}),
          write_(task, writer_),
          flights_(worker)
    {
    }

    [[nodiscard]] Convolved convolve()
    {
        for (std::size_t which = 0; which < task_.parts.size(); ++which) {
            if (!read_.is_held(which)) {
                stream(which);
                continue;
            }
            ReadPart part = read_.next(which);
            add_time(times_, stage::kRead, part.time);
            warn_of_damage(result_.warnings, name_of_part(task_, which), part.image->damage);
            note_part(*part.image);
            if (part.bad.count > 0)
                result_.notes.push_back(
                    note_of(name_of_part(task_, which), part.bad, task_.nonfinite, task_.weighs_nonfinite));
            if (flights_.is_full()) take_result();
            flights_.start(part.image);
        }
        land();
        writer_.finish();
        return summed_up();
    }

private:
    std::vector<PartToWrite> parts_to_write()
    {
        check_output(task_, reader_.headers().front());
        std::vector<PartToWrite> parts;
        for (const Image& header : reader_.headers()) {
            const std::size_t which = parts.size();
            add_new(result_.copied_channels, copied_channels(header));
            parts.push_back(
                {worker_.result_header(header), worker_.write_options(header, which), !read_.is_held(which)});
            note_on_kept(parts.back(), which);
        }
        first_ = without_samples(parts.front().header);
        return parts;
    }

    /// What is said of the first part alone, which stands for the file, is also said of the next one of which it is
    /// true.
    void note_on_kept(const PartToWrite& part, std::size_t which)
    {
        for (Warning& note : notes_on_kept(part.header, task_.output, part.options)) {
            if (std::ranges::find(notes_on_kept_, note) != notes_on_kept_.end()) continue;
            notes_on_kept_.push_back(note);
            if (which == 0) continue;  // the caller adds those
            note.message = fmt::format("{} (part {}): {}", task_.output.string(), task_.parts[which], note.message);
            result_.warnings.push_back(std::move(note));
        }
    }

    /// Adds warnings that the item does not have yet. Those of the first part's header are known.
    void note_part(const Image& part)
    {
        const std::vector<Warning>& known = reader_.headers().front().warnings;
        for (const Warning& warning : part.warnings)
            if (std::ranges::find(known, warning) == known.end())
                add_new(result_.warnings, std::vector<Warning>{warning});
    }

    void take_result()
    {
        Convolved convolved = flights_.finish();
        note(convolved.times, convolved.plan);
        if (result_.plan_origin.empty()) result_.plan_origin = convolved.plan_origin;
        if (result_.plan_check.empty()) result_.plan_check = convolved.plan_check;
        if (result_.residuals.empty()) result_.residuals = convolved.residuals;
        if (result_.transfer.empty()) result_.transfer = convolved.transfer;
        std::ranges::move(convolved.spans, std::back_inserter(result_.spans));
        add_new(result_.warnings, convolved.warnings);
        pixels_ += convolved.image->extent.pixels();
        write_.write(std::move(convolved.image), written_++);
    }

    /// Waits until nothing is in flight.
    void land()
    {
        while (!flights_.is_empty()) take_result();
        write_.wait();
    }

    void stream(std::size_t which)
    {
        land();
        Streamed streamed = worker_.stream(reader_.headers()[which], task_.parts[which],
                                           [this](const Image& /*header*/) { return writer_.rows(); });
        note(streamed.times, streamed.plan);
        pixels_ += streamed.image.extent.pixels();
        ++written_;
        streamed_overflow_ += streamed.image.overflowed;
        std::ranges::move(streamed.warnings, std::back_inserter(result_.warnings));
        std::ranges::move(streamed.notes, std::back_inserter(result_.notes));
    }

    void note(const std::vector<StageTime>& times, const std::string& plan)
    {
        for (const StageTime& time : times) add_time(times_, time.stage, time.time);
        if (result_.plan.empty()) result_.plan = plan;
    }

    Convolved summed_up()
    {
        add_time(times_, stage::kWrite, write_.time());
        first_.parts = task_.parts;
        first_.overflowed = write_.overflowed() + streamed_overflow_;
        result_.image = std::make_shared<const Image>(std::move(first_));
        result_.pixels = pixels_;
        result_.times = std::move(times_);
        if (writer_.has_lost_description())
            result_.warnings.emplace_back(WarningKind::tags,
                                          fmt::format("{}: its description (ImageDescription) gives a number of images "
                                                      "that is wrong for {}; it is left out",
                                                      task_.input.string(), task_.output.string()));
        return std::move(result_);
    }

    const PartsTask& task_;
    PartWorker& worker_;
    PartsReader reader_;
    Image first_;  ///< part of the result
    Convolved result_;
    std::vector<Warning> notes_on_kept_;
    std::vector<StageTime> times_;
    std::size_t streamed_overflow_ = 0;
    std::size_t written_ = 0;
    std::uint64_t pixels_ = 0;
    ReadAhead read_;
    PartsWriter writer_;
    WriteBehind write_;
    InFlight flights_;
};

}  // namespace

bool goes_by_bands(const Image& part, bool by_rows, const std::filesystem::path& output, std::uint64_t image_memory)
{
    return part.channels > 0 && bytes_of_part(part) > image_memory && by_rows && writes_by_rows(output);
}

std::uint64_t parts_memory(const Image& part, std::uint64_t image_memory)
{
    const std::uint64_t bytes = bytes_of_part(part);
    if (bytes > image_memory) return image_memory;  // if it goes by bands; otherwise it is made alone
    return (kInHand + kPartsAhead) * bytes <= image_memory ? (kInHand + kPartsAhead) * bytes
                                                           : std::max(image_memory, (kInHand + 1) * bytes);
}

Convolved convolve_parts(const PartsTask& task, PartWorker& worker) { return Parts(task, worker).convolve(); }

}  // namespace clconv
