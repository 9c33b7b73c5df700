// SPDX-License-Identifier: Apache-2.0
// Makes a batch in a separate process, and continues when that process dies.
//
// Decoders and encoders are code from other libraries, and read untrusted files: they crash, hang and take all memory.
// So a fork does the work, and this process only watches. It passes on the fork's events, knows from the CodecBoard on
// which files codecs work, and kills a fork that takes too long or too much memory. When the fork dies, the items that
// were in codecs are tried again one at a time. If a process dies with its first and only item, that item fails by
// name. All others are made.
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

/// The work of a process.
struct Attempt {
    std::vector<Item> items;
    bool one_at_a_time = false;  ///< an image starts only after the one before has ended, and after devices are open
};

/// How it ended, and the work that follows after that is reported.
struct AttemptEnd {
    WorkEnd end;
    std::function<void()> afterwards = [] {};
};

/// Called in the child. Marks on the board the files on which codecs work, and stops when board.stop() says so. Does
/// not throw.
using AttemptWork = std::function<AttemptEnd(const Attempt&, CodecBoard&, Sink&)>;

struct SupervisorOptions {
    Seconds timeout{0};               ///< limit for a codec and one image; 0: none
    std::uint64_t memory = kNoLimit;  ///< limit for bytes of the child alone, while codecs work
    bool fail_fast = false;
};

/// The run that is supervised. Everything that it refers to must outlive the supervisor.
struct SupervisedRun {
    RunInfo info;  ///< without its devices
    const std::vector<Item>& items;
    CodecBoard& board;
    Sink& sink;
};

/// The outcome of the whole.
struct SupervisedEnd {
    std::size_t failed = 0;    ///< items
    bool is_internal = false;  ///< clconv itself crashed, not a codec
    WorkEnd fatal;             ///< what ended the run; an empty error if it finished
};

class Supervisor final : private EventReceiver {
public:
    Supervisor(SupervisedRun run, const SupervisorOptions& options, AttemptWork work);

    /// Makes the items. Every started one is reported to the sink, after the start of the run. Throws InternalError if
    /// no process can be started.
    [[nodiscard]] SupervisedEnd run();

    /// Waits for the final work of the last process.
    void wait();

private:
    using Entries = std::vector<CodecBoard::Entry>;
    /// A file on which a codec works, and since when.
    struct Watched {
        std::uint64_t serial = 0;
        Seconds time{0};
    };

    void message(Level level, const std::string& text) override;
    void started(const std::vector<RunDevice>& devices, Seconds opening) override;
    void item_started(std::size_t index) override;
    void item_progressed(std::size_t index, const ItemProgress& progress) override;
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
    /// The remaining items of these inputs.
    [[nodiscard]] std::vector<Item> items_of(const std::set<std::string>& inputs) const;
    [[nodiscard]] bool is_over() const;

    RunInfo info_;
    const std::vector<Item>& items_;
    const SupervisorOptions options_;
    const AttemptWork work_;
    CodecBoard& board_;
    Sink& sink_;
    SupervisedEnd result_;
    bool has_started_ = false;  ///< the start of the run has been reported
    std::vector<std::pair<const Item*, ItemResult>> unreported_;
    std::set<std::size_t> ended_items_;  ///< by index
    std::vector<Item> suspects_;         ///< to be tried one at a time

    // The current process.
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
