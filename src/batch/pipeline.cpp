// SPDX-License-Identifier: Apache-2.0
#include "batch/pipeline.h"

#include "base/clock.h"
#include "base/errors.h"
#include "batch/input_reader.h"
#include "batch/item_errors.h"
#include "batch/memory_budget.h"
#include "batch/queues.h"
#include "batch/same_files.h"
#include "batch/worker_loop.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clconv {

namespace {

/// The name of a thread on a timeline, counted from 1.
std::string thread_name(const std::string& kind, int index) { return kind + " " + std::to_string(index + 1); }

/// The items of a batch, sorted by what is done with them.
struct SortedItems {
    std::vector<Item> made;
    SameFiles same = {};        ///< get copies of the outputs of `made`
    std::vector<Item> skipped;  ///< are only reported
};

SortedItems sorted_items(const std::vector<Item>& items, bool may_copy)
{
    SortedItems result;
    for (const Item& item : items) (item.skip ? result.skipped : result.made).push_back(item);
    if (may_copy) result.same = SameFiles::taken_from(result.made);
    return result;
}

class Pipeline final : public WorkDesk {
public:
    Pipeline(SortedItems items, const Steps& steps, const PipelineOptions& options, const std::atomic<int>& stop,
             Sink& sink)
        : items_(std::move(items)),
          steps_(steps),
          options_(options),
          stop_(stop),
          sink_(sink),
          budget_(options.memory),
          reader_(items_.made, steps_, options_, budget_),
          read_(reader_.count(), reader_.count()),
          to_write_(static_cast<std::size_t>(options.jobs))
    {
    }

    Tally run()
    {
        tally_.total = items_.made.size() + items_.same.count() + items_.skipped.size();
        {
            std::vector<std::jthread> codecs;
            codecs.reserve(2 * static_cast<std::size_t>(options_.jobs));
            const Closer closer{*this};  // before waiting for the codecs, also after an exception
            for (int i = 0; i < options_.jobs; ++i)
                codecs.emplace_back([this, i] { guarded([this, i] { read_images(thread_name("reader", i)); }); });
            open();
            ItemResult result;
            result.status = ItemStatus::skipped;
            for (const Item& item : items_.skipped) finish(item, result);
            if (items_.same.count() > 0)
                sink_.message(Level::info, std::to_string(items_.same.count()) + " of " + std::to_string(tally_.total) +
                                               " outputs are made as copies, because their inputs are links to the "
                                               "file of another input");
            for (int i = 0; i < options_.jobs; ++i)
                codecs.emplace_back([this, i] { guarded([this, i] { write_images(thread_name("writer", i)); }); });
            std::vector<std::jthread> devices;
            devices.reserve(opened_.workers.size());
            for (std::size_t i = 0; i < opened_.workers.size(); ++i)
                devices.emplace_back([this, i] { guarded([&] { work_at(*this, *opened_.workers[i], i); }); });
            for (std::jthread& device : devices) device.join();
        }
        if (fatal_) std::rethrow_exception(fatal_);
        return tally_;
    }

private:
    struct WriteTask {
        ItemWork work;
        std::shared_ptr<const Image> image;
    };
    /// Lets all threads end.
    struct Closer {
        Pipeline& pipeline;
        ~Closer()
        {
            pipeline.stop_reading();
            pipeline.to_write_.finish();
        }
    };

    void open()
    {
        opened_ = steps_.open();
        workers_left_ = opened_.workers.size();
        {
            const std::lock_guard lock(expected_mutex_);
            is_open_ = true;
        }
        for (const Expected& expected : std::exchange(expected_, {})) announce(expected);
        if (!opened_.on_own_cores) end_head_start();
    }

    /// An image that was read, and its item.
    struct Expected {
        std::shared_ptr<const Image> image;
        const Item* item = nullptr;
    };

    void announce(const Expected& expected) const
    {
        for (const std::shared_ptr<ImageWorker>& worker : opened_.workers)
            worker->expect(*expected.image, *expected.item);
    }

    /// Announces the image to the workers now, or as soon as they are open.
    void expect(const Expected& expected)
    {
        {
            const std::lock_guard lock(expected_mutex_);
            if (!is_open_) return expected_.push_back(expected);
        }
        announce(expected);
    }

    /// Ends the phase in which only memory bounds how far readers are ahead. Further calls do nothing.
    void end_head_start()
    {
        std::call_once(head_start_ended_, [this] {
            read_.sink_to(static_cast<std::size_t>(options_.jobs) + opened_.workers.size());
            budget_.resize(opened_.memory);
        });
    }

    [[nodiscard]] bool stopping() const { return stop_.load() != 0 || ending_.load(); }

    void stop_reading()
    {
        budget_.close();
        read_.close();
    }

    /// Calls a function. If it throws an error, keeps the first one, and ends the run.
    template <class Function>
    void guarded(const Function& function)
    {
        try {
            function();
        } catch (...) {
            {
                const std::lock_guard lock(mutex_);
                if (!fatal_) fatal_ = std::current_exception();
            }
            ending_ = true;
            stop_reading();
        }
    }

    void finish(const Item& item, const ItemResult& result)
    {
        const std::lock_guard lock(mutex_);
        add(tally_, result);
        sink_.item_finished(item.info, result);
    }

    /// Rethrows an error that ends the run, after recording the item. An output that exists by now is no failure of an
    /// item that is to be skipped then.
    void fail(const Item& item, ItemResult result, const std::exception_ptr& error)
    {
        if (item.existing == Existing::skip && is_output_exists(error)) {
            result = {};
            result.status = ItemStatus::skipped;
            return finish(item, result);
        }
        result.status = ItemStatus::failed;
        try {
            result.error = message_for_item(error, item);
        } catch (const std::exception& fatal) {
            result.error = fatal.what();
            finish(item, result);
            throw;
        }
        finish(item, result);
        if (options_.fail_fast) ending_ = true;
    }

    /// Fails an item whose result could not be computed, and those that would get a copy of it.
    void fail_all(const Item& item, ItemResult result, const std::exception_ptr& error)
    {
        fail(item, result, error);
        result.status = ItemStatus::failed;
        result.error = message_for_item(error, item);
        for (const Item& same : items_.same.of(item)) {
            if (stopping()) return;
            sink_.item_started(same.info);
            finish(same, result_in_words_of(same, result, item));
        }
    }

    void read_images(const std::string& track)
    {
        while (!stopping()) {
            const std::optional<std::size_t> number = read_.claim();
            if (!number) return;
            std::optional<std::deque<ItemWork>> works = reader_.read(*number, track);
            if (!works) return;
            for (const ItemWork& work : *works)
                if (work.image) expect({work.image, work.item});
            read_.put(*number, std::move(*works));
        }
        // The devices' threads may wait for an image that is no longer read.
        stop_reading();
    }

    std::optional<ItemWork> next(Wait wait) override
    {
        while (!stopping()) {
            std::optional<ItemWork> work = wait == Wait::yes ? read_.pop() : read_.try_pop();
            if (!work || stopping()) return std::nullopt;
            sink_.item_started(work->item->info);
            if (!work->error) return work;
            fail_all(*work->item, std::move(work->result), work->error);
        }
        return std::nullopt;
    }

    void progressed(const Item& item, const ItemProgress& progress) override
    {
        sink_.item_progressed(item.info, progress);
    }

    void done(ItemWork work, Convolved convolved) override
    {
        end_head_start();
        for (const StageTime& entry : convolved.times) add_time(work.result.times, entry.stage, entry.time);
        for (Span& span : convolved.spans) {
            if (opened_.workers.size() > 1 && span.track != "device")
                span.track += " " + std::to_string(*work.result.device + 1);
            work.result.spans.push_back(std::move(span));
        }
        work.result.plan = std::move(convolved.plan);
        work.result.plan_origin = std::move(convolved.plan_origin);
        work.result.plan_check = std::move(convolved.plan_check);
        work.result.residuals = std::move(convolved.residuals);
        work.result.pixels = convolved.pixels > 0 ? convolved.pixels : convolved.image->extent.pixels();
        work.result.output_type = convolved.image->stored_type;
        work.result.output_transfer = std::move(convolved.transfer);
        if (!convolved.copied_channels.empty()) work.result.copied_channels = std::move(convolved.copied_channels);
        std::ranges::move(convolved.warnings, std::back_inserter(work.result.warnings));
        for (const std::string& note : convolved.notes) sink_.message(Level::info, note);
        work.image = nullptr;
        to_write_.push({std::move(work), std::move(convolved.image)});
    }

    void failed(ItemWork work, const std::exception_ptr& error) override
    {
        fail_all(*work.item, std::move(work.result), error);
    }

    bool goes_on_without(const ImageWorker& worker, const std::string& why) override
    {
        const bool others = --workers_left_ > 0;
        if (others) warn(worker.name() + ": is lost (" + why + "); the run goes on without it");
        return others;
    }

    void warn(const std::string& text) override { sink_.message(Level::warning, text); }

    void write_images(const std::string& track)
    {
        while (std::optional<WriteTask> task = to_write_.pop()) {
            const Item* made = write_result(*task, *task->work.item, nullptr, track);
            for (const Item& same : items_.same.of(*task->work.item)) {
                if (stopping()) break;
                sink_.item_started(same.info);
                made = write_result(*task, same, made, track);
            }
            task->image = nullptr;
            task->work.memory->results.release();
        }
    }

    /// Writes the result for an item: that of the task, or one whose result is the same. `made`: an item that has it in
    /// its output already, or null. Returns an item that has it, or null.
    const Item* write_result(WriteTask& task, const Item& item, const Item* made, const std::string& track)
    {
        ItemWork& work = task.work;
        const bool is_first = &item == work.item;
        ItemResult result = is_first ? std::move(work.result) : result_in_words_of(item, work.result, *work.item);
        const Clock::time_point start = Clock::now();
        try {
            if (made) {
                steps_.copy(*made, item);
                result.copy_of = made->info.output;
            } else {
                result.overflowed = steps_.judge(*task.image, item);
                const CodecMark mark(options_.board, item.info.index, CodecKind::encoder);
                steps_.write(*task.image, item);
            }
            const Clock::time_point end = Clock::now();
            add_time(result.times, stage::kWrite, end - start);
            result.spans.push_back({track, std::string(stage::kWrite), start, end});
            result.status = ItemStatus::done;
            if (is_first) work.result = result;  // without the warnings that name its output
            steps_.note(*task.image, item, result);
            finish(item, result);
            return made ? made : &item;
        } catch (...) {
            if (is_first) work.result = result;
            // Later tasks are still taken, so that a device's thread never waits for a writer that has ended.
            guarded([&] { fail(item, std::move(result), std::current_exception()); });
            return made;
        }
    }

    const SortedItems items_;
    const Steps& steps_;
    const PipelineOptions options_;
    const std::atomic<int>& stop_;
    Sink& sink_;
    MemoryBudget budget_;
    const InputReader reader_;
    OrderedQueue<ItemWork> read_;
    BoundedQueue<WriteTask> to_write_;
    Opened opened_;
    std::mutex expected_mutex_;
    bool is_open_ = false;            ///< opened_ is complete, and no longer written
    std::vector<Expected> expected_;  ///< images that were read before that
    std::once_flag head_start_ended_;
    std::atomic<std::size_t> workers_left_ = 0;
    std::mutex mutex_;
    Tally tally_;
    std::exception_ptr fatal_;
    std::atomic<bool> ending_ = false;
};

}  // namespace

Tally run_pipeline(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                   const std::atomic<int>& stop, Sink& sink)
{
    return Pipeline(sorted_items(items, steps.copy != nullptr), steps, options, stop, sink).run();
}

}  // namespace clconv
