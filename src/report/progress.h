// SPDX-License-Identifier: Apache-2.0
// The progress bar: one line at the bottom of a terminal, redrawn in place.
#pragma once

#include "base/clock.h"
#include "report/events.h"
#include "report/tally.h"

#include <chrono>
#include <string>

namespace clconv {

/// The bar as text, at most `columns` wide: "[=====>    ]  12/40  1 failed  3.2 images/s  0:09 left".
[[nodiscard]] std::string progress_line(const Tally& tally, Seconds elapsed, int columns);

/// "12/40  1 failed  3.2 images/s  0:09 left", and "iteration 34 of 100" of an image that takes long.
[[nodiscard]] std::string progress_text(const Tally& tally, Seconds elapsed);

/// Draws on standard error. Meant for terminals.
class ProgressBar final : public Sink {
public:
    ~ProgressBar() override { hide(); }

    /// Removes the bar, so that something else can be printed. The next event draws it again.
    void hide();

    void message(Level level, std::string_view text) override;
    void run_started(const RunInfo& run) override;
    void item_progressed(const ItemInfo& item, const ItemProgress& progress) override;
    void item_finished(const ItemInfo& item, const ItemResult& result) override;
    void run_finished(const RunResult& result) override;

private:
    void draw();

    Tally tally_;
    Clock::time_point start_;
    Clock::time_point drawn_;
    bool running_ = false;
    bool visible_ = false;
};

}  // namespace clconv
