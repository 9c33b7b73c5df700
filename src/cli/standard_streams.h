// `-` as INPUT and as --output: an image from standard input, an image to standard output.
//
// A run works on files. So what comes in is kept in a file of a private folder first, what goes out is made as a file
// there and passed on when it is complete; whoever listens to the run hears of neither, but of the streams.
#pragma once

#include "cli/run_options.h"
#include "report/events.h"

#include <atomic>
#include <filesystem>
#include <string>

namespace clconv {

class StandardStreams final : public Sink {
public:
    /// Throws InvalidProblem for options that make no sense with a stream, and for a stream that is a terminal. From
    /// then on what libraries print on a standard output that gets an image goes to standard error.
    StandardStreams(const RunOptions& options, Sink& next);
    /// Removes the private folder.
    ~StandardStreams() override;

    /// The options with files in the place of streams, once standard input has been read to its end. Throws NoInput if
    /// there is nothing in it, InputError if it is no image, cannot be kept, or `stop` becomes other than 0.
    [[nodiscard]] RunOptions received(const std::atomic<int>& stop);

    /// `text` with streams in the place of their files.
    [[nodiscard]] std::string shown(std::string text) const;

    /// Whether an image was made that standard output did not take.
    [[nodiscard]] bool has_lost_output() const { return has_lost_output_; }

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    /// Passes a finished image on to standard output first; if that fails, so has the item.
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    void keep_standard_input(const std::atomic<int>& stop);
    void choose_output(RunOptions& options);
    [[nodiscard]] ItemInfo shown(ItemInfo item) const;

    const RunOptions& options_;
    Sink& next_;
    std::filesystem::path folder_;
    std::filesystem::path input_;   ///< empty: not a stream
    std::filesystem::path output_;  ///< likewise
    int standard_output_ = -1;
    bool has_lost_output_ = false;
};

}  // namespace clconv
