// SPDX-License-Identifier: Apache-2.0
// `-` as INPUT and as --output: an image from standard input, an image to standard output.
//
// A run works on files. So standard input is first stored in a file of a private folder. The output is written as a
// file there, and copied to standard output when it is complete. Events name the streams, not these files.
#pragma once

#include "base/temporary_folder.h"
#include "image_options/run_options.h"
#include "report/events.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

namespace clconv {

class StandardStreams final : public Sink {
public:
    /// Throws InvalidProblem for options that make no sense with a stream, and for a stream that is a terminal. If
    /// standard output gets an image, messages that libraries print there go to standard error from then on.
    StandardStreams(const RunOptions& options, Sink& next);
    /// Removes the private folder.
    ~StandardStreams() override;

    /// Reads standard input to its end, and returns the options with files instead of streams. Throws NoInput if the
    /// input is empty, InputError if it is not an image, cannot be stored, or `stop` is not 0.
    [[nodiscard]] RunOptions received(const std::atomic<int>& stop);

    /// `text` with streams instead of their files.
    [[nodiscard]] std::string shown(std::string text) const;

    /// Whether an image was made that could not be written to standard output.
    [[nodiscard]] bool has_lost_output() const { return has_lost_output_; }

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_started(const ItemInfo& item) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    /// First copies a finished image to standard output. If that fails, the item fails.
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    void keep_standard_input(const std::atomic<int>& stop);
    void choose_output(RunOptions& options);
    [[nodiscard]] ItemInfo shown(ItemInfo item) const;

    const RunOptions& options_;
    Sink& next_;
    std::optional<TemporaryFolder> folder_;
    std::filesystem::path input_;   ///< empty: not a stream
    std::filesystem::path output_;  ///< likewise
    int standard_output_ = -1;
    bool has_lost_output_ = false;
};

}  // namespace clconv
