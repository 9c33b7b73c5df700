// SPDX-License-Identifier: Apache-2.0
// Results of tuning and sweeps, in forms for people and programs.
#pragma once

#include "opencl/device.h"
#include "tune/pass_tuner.h"
#include "tune/sweep.h"
#include "tune/tuner.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

struct TuneReport {
    DeviceInfo device;
    double copy_gb_s = 0;
    std::vector<Tuned> tuned;
    std::vector<Sweep> sweeps;
    std::optional<PassTuning> passes = {};  ///< of the device's menu, if that was measured
};

/// What was measured earlier.
struct Remembered {
    std::vector<Record> records;
    std::vector<PassSet> passes;
};

/// A pass with its longest time, for tables.
struct PassLine {
    PassKind kind = PassKind::rows;
    Precision precision = Precision::float32;
    std::string pass;     ///< the kind's name
    std::string samples;  ///< "u8 interleaved" that rows load or rows back store; columns: "spectra"
    int length = 0;
    std::string radices;
    std::string shape;  ///< "96 items x 1, whole, 4 columns x 2 rows"; "8 lanes"
    double lines = 0;
    double ns_a_line = 0;
    double gb_s = 0;    ///< of the bytes that such lines must move
    bool few = false;   ///< a third of the lines, or fewer, that others of its kind, samples and length have
    bool best = false;  ///< the fastest of these others
};

/// The passes of a set: by kind, samples and length, those of few lines last, else the fastest first.
[[nodiscard]] std::vector<PassLine> pass_lines(const PassSet& set);

/// Aligned tables with bars. `explain`: also the candidates that were not tried, and why.
[[nodiscard]] std::string tune_table(const TuneReport& report, bool explain);
[[nodiscard]] std::string tune_json(const TuneReport& report);
/// One line for each candidate: RFC 4180, with a heading.
[[nodiscard]] std::string tune_csv(const TuneReport& report);
/// One self-contained page: charts, sortable tables.
[[nodiscard]] std::string tune_page(const TuneReport& report);
/// The same of records. `shipped`: those that are part of clconv.
[[nodiscard]] std::string records_page(const Remembered& own, const Remembered& shipped);

/// Bytes over time, in GB/s.
[[nodiscard]] double gb_per_s(const SweepPoint& point);

/// GB/s with three digits that count.
[[nodiscard]] std::string speed_text(double gb_s);

/// One attempt for each plan of a search, the fastest first: its last comparison if it was in that, else its best one.
[[nodiscard]] std::vector<TriedPlan> best_attempts(const SearchResult& found);

/// Whether it is the plan that the search chose.
[[nodiscard]] bool is_chosen(const SearchResult& found, const TriedPlan& attempt);

/// "chosen: 16.9.8: 0.9 ms, 0.90 times the 1.0 ms of the planner's own plan", or the same of the planner's own plan.
[[nodiscard]] std::string headline(const SearchResult& found);

/// "16.9.8 ..." or "as planned".
[[nodiscard]] std::string decisions_text(const Answer& decisions);

}  // namespace clconv
