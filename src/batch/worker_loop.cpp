// SPDX-License-Identifier: Apache-2.0
#include "batch/worker_loop.h"

#include "base/clock.h"
#include "base/errors.h"

#include <fmt/format.h>

#include <chrono>
#include <deque>

namespace clconv {

namespace {

/// Images that take less say nothing.
constexpr std::chrono::seconds kBetweenProgress{1};

/// Errors after which a device may work again. A program that does not build is not one.
bool is_device_error(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const BuildError&) {
        return false;
    } catch (const DeviceError&) {
        return true;
    } catch (...) {
        return false;
    }
}

std::string message_of(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    }
}

class Loop {
public:
    Loop(WorkDesk& desk, ImageWorker& worker, std::size_t number) : desk_(desk), worker_(worker), number_(number) {}

    void run()
    {
        while (!lost_) {
            std::optional<ItemWork> work;
            if (flights_.size() < worker_.capacity())
                work = desk_.next(flights_.empty() ? WorkDesk::Wait::yes : WorkDesk::Wait::no);
            if (work)
                start(std::move(*work));
            else if (flights_.empty())
                return;
            else
                finish_first();
        }
        // This is the last device of the run, so the remaining items must fail.
        while (!others_go_on_)
            if (std::optional<ItemWork> work = desk_.next(WorkDesk::Wait::yes))
                desk_.failed(std::move(*work), lost_);
            else
                return;
    }

private:
    void start(ItemWork work)
    {
        work.result.device = number_;
        // A result needs memory, which an image of this thread that is in flight may hold.
        while (!work.memory->results.try_acquire()) {
            if (flights_.empty()) {
                work.memory->results.acquire();
                break;
            }
            finish_first();
        }
        if (lost_) return fail(std::move(work), lost_);
        try {
            start_in_worker(work);
        } catch (...) {
            const std::exception_ptr error = std::current_exception();
            if (!is_device_error(error)) return fail(std::move(work), error);
            again_.push_back(std::move(work));
            // Images that were started before may still finish. If the device fails at that, too, it is renewed, or
            // lost, there, and all of again_ is done.
            finish_all();
            if (!again_.empty()) recover(error);
            return;
        }
        flights_.push_back(std::move(work));
    }

    void start_in_worker(const ItemWork& work)
    {
        worker_.start(work.image, *work.item,
                      [&desk = desk_, item = work.item, reported = Clock::now()](const ItemProgress& progress) mutable {
                          const Clock::time_point now = Clock::now();
                          if (now - reported < kBetweenProgress) return;
                          reported = now;
                          desk.progressed(*item, progress);
                      });
    }

    void finish_first()
    {
        ItemWork work = std::move(flights_.front());
        flights_.pop_front();
        try {
            Convolved convolved = worker_.finish();
            desk_.done(std::move(work), std::move(convolved));
        } catch (...) {
            const std::exception_ptr error = std::current_exception();
            if (!is_device_error(error)) return fail(std::move(work), error);
            again_.push_back(std::move(work));
            recover(error);
        }
    }

    void finish_all()
    {
        while (!flights_.empty()) finish_first();
    }

    void recover(const std::exception_ptr& error)
    {
        for (; !flights_.empty(); flights_.pop_front()) again_.push_back(std::move(flights_.front()));
        try {
            worker_.renew();
            desk_.warn(fmt::format("{}: {}; trying again with the device opened anew and less of its memory",
                                   worker_.name(), message_of(error)));
        } catch (const BuildError&) {
            throw;
        } catch (const DeviceError& gone) {
            lost_ = error;
            others_go_on_ = desk_.goes_on_without(worker_, gone.what());
        }
        while (!again_.empty()) {
            ItemWork work = std::move(again_.front());
            again_.pop_front();
            if (lost_)
                fail(std::move(work), lost_);
            else
                try_again(std::move(work));
        }
    }

    void try_again(ItemWork work)
    {
        try {
            start_in_worker(work);
            Convolved convolved = worker_.finish();
            desk_.done(std::move(work), std::move(convolved));
        } catch (...) {
            fail(std::move(work), std::current_exception());
        }
    }

    void fail(ItemWork work, const std::exception_ptr& error)
    {
        work.memory->results.release();
        desk_.failed(std::move(work), error);
    }

    WorkDesk& desk_;
    ImageWorker& worker_;
    const std::size_t number_;
    std::deque<ItemWork> flights_;
    std::deque<ItemWork> again_;  ///< items that an error of the device affected
    std::exception_ptr lost_;     ///< why the device is gone
    bool others_go_on_ = false;
};

}  // namespace

void work_at(WorkDesk& desk, ImageWorker& worker, std::size_t number) { Loop(desk, worker, number).run(); }

}  // namespace clconv
