// Makes a batch in a process of its own, and goes on when that process dies.
//
// Decoders and encoders are code of others, fed with files of strangers: they crash, hang and take all memory. So the
// work is done by a fork, and this process only looks on: it passes on what the fork tells, knows from the CodecBoard
// whose files are in a codec's hands, and kills what takes too long or too much. When the fork dies, the items that
// were in codecs are tried again one at a time; one whose process dies although it was the first and only one fails by
// name. Everything else is made.
#pragma once

#include "base/byte_count.h"
#include "base/child_process.h"
#include "base/clock.h"
#include "batch/codec_board.h"
#include "files/item.h"
#include "report/event_frames.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clconv {

/// What a process is to make.
struct Attempt {
    std::vector<Item> items;
    bool one_at_a_time = false;  ///< no image may be begun before the one before has ended, and devices are open first
};

/// How it ended, and what is to be done when that has been told.
struct AttemptEnd {
    WorkEnd end;
    std::function<void()> afterwards = [] {};
};

/// Called in the child. Marks on the board what is in codecs' hands; stops as board.stop() says. Does not throw.
using AttemptWork = std::function<AttemptEnd(const Attempt&, CodecBoard&, Sink&)>;

struct SupervisorOptions {
    Seconds timeout{0};               ///< that a codec may take for one image; 0: any
    std::uint64_t memory = kNoLimit;  ///< bytes that the child may have of its own while codecs work
    bool fail_fast = false;
};

/// How the whole went.
struct SupervisedEnd {
    std::size_t failed = 0;    ///< items
    bool is_internal = false;  ///< clconv itself crashed, not a codec
    WorkEnd fatal;             ///< what ended the run; an empty error: it came to its end
};

class Supervisor final : private EventReceiver {
public:
    /// `info`: all of the run but its devices. `board` and `sink` must outlive this.
    Supervisor(RunInfo info, const std::vector<Item>& items, const SupervisorOptions& options, AttemptWork work,
               CodecBoard& board, Sink& sink);

    /// Makes the items. Every one that is not left unstarted is reported to the sink, after the start of the run.
    /// Throws InternalError if the system has no process to do it in.
    [[nodiscard]] SupervisedEnd run();

    /// Waits for what the last process does afterwards.
    void wait();

private:
    using Entries = std::vector<CodecBoard::Entry>;
    /// A file in a codec's hands, since when.
    struct Watched {
        std::uint64_t serial = 0;
        Seconds time{0};
    };

    void message(Level level, const std::string& text) override;
    void started(const std::vector<RunDevice>& devices, Seconds opening) override;
    void item_started(std::size_t index) override;
    void item_finished(std::size_t index, ItemResult result) override;
    void ended(const WorkEnd& end) override;

    [[nodiscard]] Attempt next_attempt() const;
    void make(const Attempt& attempt);
    void follow();
    void check();
    void watch(const Entries& entries, Seconds passed);
    void judge(const Attempt& attempt, int status);
    void judge_overdue();
    void judge_crowd(const std::string& how, const Entries& entries);
    void judge_alone(const Attempt& attempt, const std::string& how, const Entries& entries);
    void blame(const std::vector<Item>& group, const std::string& how, const Entries& entries);
    void remove_temporaries(const Entries& entries);
    void fail(const Item& item, const std::string& error);
    void end_run(const std::string& error);
    [[nodiscard]] bool is_left(const Item& item) const { return !ended_items_.contains(item.info.index); }
    [[nodiscard]] std::vector<Item> left(const std::vector<Item>& items) const;
    [[nodiscard]] const Item& item_at(std::size_t index) const;
    /// The items that are left of those inputs.
    [[nodiscard]] std::vector<Item> items_of(const std::set<std::string>& inputs) const;
    [[nodiscard]] bool is_over() const;

    RunInfo info_;
    const std::vector<Item>& items_;
    const SupervisorOptions options_;
    const AttemptWork work_;
    CodecBoard& board_;
    Sink& sink_;
    SupervisedEnd result_;
    bool has_started_ = false;  ///< and the sink knows
    std::vector<std::pair<const Item*, ItemResult>> untold_;
    std::set<std::size_t> ended_items_;  ///< by index
    std::vector<Item> suspects_;         ///< to be tried one at a time

    // Of the process that works now.
    std::unique_ptr<ChildProcess> child_;
    bool is_open_ = false;
    std::set<std::size_t> started_items_;
    std::optional<WorkEnd> end_;
    std::map<std::size_t, Watched> watched_;  ///< by slot
    Clock::time_point checked_;
    Entries overdue_;
    bool took_too_much_ = false;

    int internal_ = 0;  ///< items that failed by a crash of clconv itself
};

}  // namespace clconv
