#include "batch/pipeline.h"

#include "base/errors.h"
#include "batch/queues.h"

#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <span>
#include <thread>

namespace clconv {

namespace {

using Clock = std::chrono::steady_clock;

/// The items of one input.
using Group = std::span<const Item>;

std::vector<Group> groups_by_input(const std::vector<Item>& items)
{
    std::vector<Group> groups;
    const Item* const end = items.data() + items.size();
    for (const Item* first = items.data(); first != end;) {
        const Item* last = first;
        while (last != end && last->info.input == first->info.input) ++last;
        groups.emplace_back(first, last);
        first = last;
    }
    return groups;
}

/// The message of an error that fails one item. Rethrows an error that ends the run.
std::string message_for_item(const std::exception_ptr& error, const Item& item)
{
    try {
        std::rethrow_exception(error);
    } catch (const BuildError&) {
        throw;
    } catch (const InternalError&) {
        throw;
    } catch (const Error& known) {
        const std::string text = known.what();
        // Whatever the message is about, the reader of a log of a thousand images must see which one it was.
        const bool names_item = text.find(item.info.input.string()) != std::string::npos ||
                                text.find(item.info.output.string()) != std::string::npos;
        return names_item ? text : item.info.input.string() + ": " + text;
    } catch (const std::bad_alloc&) {
        return item.info.input.string() + ": not enough memory; try --jobs 1 or a smaller image";
    }
}

class Pipeline {
public:
    Pipeline(std::vector<Item> items, const Steps& steps, const PipelineOptions& options, const std::atomic<int>& stop,
             Sink& sink)
        : items_(std::move(items)),
          groups_(groups_by_input(items_)),
          steps_(steps),
          options_(options),
          stop_(stop),
          sink_(sink),
          read_(groups_.size(), static_cast<std::size_t>(options.jobs) + 1),
          to_write_(static_cast<std::size_t>(options.jobs))
    {
    }

    Tally run(Tally tally)
    {
        tally_ = std::move(tally);
        {
            std::vector<std::jthread> threads;
            threads.reserve(2 * static_cast<std::size_t>(options_.jobs));
            const Closer closer{*this};
            for (int i = 0; i < options_.jobs; ++i)
                threads.emplace_back([this] { guarded([this] { read_images(); }); });
            for (int i = 0; i < options_.jobs; ++i)
                threads.emplace_back([this] { guarded([this] { write_images(); }); });
            guarded([this] { convolve_images(); });
            closer.close();
        }
        if (fatal_) std::rethrow_exception(fatal_);
        return tally_;
    }

private:
    struct ReadResult {
        Image image;
        Seconds time{0};
        std::exception_ptr error;
    };
    struct WriteTask {
        const Item* item = nullptr;
        Image image;
        ItemResult result;
    };
    /// Lets all threads come to their end, also when starting one of them throws.
    struct Closer {
        Pipeline& pipeline;
        void close() const
        {
            pipeline.read_.close();
            pipeline.to_write_.finish();
        }
        ~Closer() { close(); }
    };

    [[nodiscard]] bool stopping() const { return stop_.load() != 0 || ending_.load(); }

    /// Keeps the first error that ends the run, and ends it.
    template <class Work>
    void guarded(const Work& work)
    {
        try {
            work();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!fatal_) fatal_ = std::current_exception();
            ending_ = true;
        }
    }

    void finish(const Item& item, const ItemResult& result)
    {
        const std::lock_guard lock(mutex_);
        add(tally_, result);
        sink_.item_finished(item.info, result);
    }

    /// Called where an exception is handled. Rethrows it if it ends the run, after recording the item.
    void fail(const Item& item, ItemResult result, const std::exception_ptr& error)
    {
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

    void read_images()
    {
        while (!stopping()) {
            const std::optional<std::size_t> number = read_.claim();
            if (!number) return;
            ReadResult result;
            const Clock::time_point start = Clock::now();
            try {
                result.image = steps_.read(groups_[*number].front().info.input);
            } catch (...) {
                result.error = std::current_exception();
            }
            result.time = Clock::now() - start;
            read_.put(*number, std::move(result));
        }
        // The convolving thread may be waiting for an image that nobody reads any more.
        read_.close();
    }

    void convolve_images()
    {
        for (const Group& group : groups_) {
            const std::optional<ReadResult> read = read_.pop();
            if (!read) return;
            Seconds read_time = read->time;
            for (const Item& item : group) {
                if (stopping()) return;
                sink_.item_started(item.info);
                convolve_item(*read, item, read_time);
                read_time = Seconds{0};  // counted once, with the first item
            }
        }
    }

    void convolve_item(const ReadResult& read, const Item& item, Seconds read_time)
    {
        ItemResult result;
        if (read_time.count() > 0) add_time(result.times, "read", read_time);
        if (read.error) return fail(item, std::move(result), read.error);
        result.image = ImageFacts{read.image.extent, read.image.channels, read.image.stored_type};
        Convolved convolved;
        try {
            convolved = steps_.convolve(read.image, item);
        } catch (...) {
            return fail(item, std::move(result), std::current_exception());
        }
        for (const StageTime& entry : convolved.times) add_time(result.times, entry.stage, entry.time);
        result.plan = std::move(convolved.plan);
        result.output_extent = convolved.image.extent;
        to_write_.push({&item, std::move(convolved.image), std::move(result)});
    }

    void write_images()
    {
        while (std::optional<WriteTask> task = to_write_.pop()) {
            const Clock::time_point start = Clock::now();
            try {
                steps_.write(task->image, *task->item);
            } catch (...) {
                // Later tasks are still taken: the convolving thread must never wait for a writer that is gone.
                guarded([&] { fail(*task->item, std::move(task->result), std::current_exception()); });
                continue;
            }
            add_time(task->result.times, "write", Clock::now() - start);
            task->result.status = ItemStatus::done;
            finish(*task->item, task->result);
        }
    }

    const std::vector<Item> items_;
    const std::vector<Group> groups_;
    const Steps& steps_;
    const PipelineOptions options_;
    const std::atomic<int>& stop_;
    Sink& sink_;
    OrderedQueue<ReadResult> read_;
    BoundedQueue<WriteTask> to_write_;
    std::mutex mutex_;
    Tally tally_;
    std::exception_ptr fatal_;
    std::atomic<bool> ending_ = false;
};

}  // namespace

Tally run_pipeline(const std::vector<Item>& items, const Steps& steps, const PipelineOptions& options,
                   const std::atomic<int>& stop, Sink& sink)
{
    Tally tally;
    tally.total = items.size();
    std::vector<Item> wanted;
    for (const Item& item : items) {
        if (!item.skip) {
            wanted.push_back(item);
            continue;
        }
        ItemResult skipped;
        skipped.status = ItemStatus::skipped;
        add(tally, skipped);
        sink.item_finished(item.info, skipped);
    }
    return Pipeline(std::move(wanted), steps, options, stop, sink).run(std::move(tally));
}

}  // namespace clconv
