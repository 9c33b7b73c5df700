// SPDX-License-Identifier: Apache-2.0
// The time of a pass on one device: as measured, or else by the model, scaled to what was measured there.
//
// The models of plan/cost.h and gpu_cost.h rank plans; their numbers are those of another device, or none at all. So
// that modelled and measured times can be added, the model is multiplied by the median of measured over modelled times
// of the same kind of pass. It is wrong by a tenth, and a plan that looks best among many is more often wrong to its
// own favour: so a modelled time counts a tenth more. docs/decisions/051-records-of-passes.md
//
// Where a pass was measured on a related device alone, its time counts scaled (plan/pass_times.h), and a little more.
// docs/decisions/065-passes-of-related-devices.md
//
// A GPU's pass ends with the compute unit that has the most work-groups, which matters where each has only a few.
// docs/decisions/063-few-work-groups.md
#pragma once

#include "base/device_traits.h"
#include "plan/gpu_cost.h"
#include "plan/pass_times.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace clconv {

struct PassCost {
    double ns = 0;
    bool measured = false;         ///< on this device or a related one
    bool related = false;          ///< on a related one
    bool others_measured = false;  ///< this shape was not, but others of the same length and form of the intermediate
};

/// A pass and how many lines of it there are.
struct PassLoad {
    LinePass pass;
    double lines = 0;
    int filled = 0;            ///< filled_of()
    double burden = 1;         ///< a factor of its time: columns in parts (plan/gpu_grouping.h)
    bool one_channel = false;  ///< then rows of interleaved samples stand in where no planar ones were measured
};

class PassCosts {
public:
    /// Nothing was measured.
    PassCosts() = default;
    /// `compute_units` of a GPU, which each run whole work-groups; 0: unknown.
    PassCosts(std::vector<PassRecord> records, const DeviceTraits& traits, std::uint64_t compute_units = 0);

    [[nodiscard]] bool empty() const { return times_.empty(); }
    /// Of the passes on a GPU, lines are those that would take as long if all compute units were busy until the end.
    [[nodiscard]] const PassTimes& times() const { return times_; }

    [[nodiscard]] PassCost cost(const PassLoad& load) const;
    /// The same, where the model's time is known.
    [[nodiscard]] PassCost cost(const PassLoad& load, double model_ns) const;

private:
    DeviceTraits traits_;
    std::uint64_t compute_units_ = 0;
    PassTimes times_;
    std::array<double, 3> scale_{1, 1, 1};  ///< of the model, by kind
    std::array<double, 3> launch_ns_{};     ///< of a GPU's pass, for other lines than were measured, by kind
    std::array<double, 3> outside_gb_s_{};  ///< of passes that move more than a GPU's cache holds, by kind; 0: unknown

    /// Null if neither the pass nor one that stands in for it was measured: planar rows for interleaved ones, too.
    [[nodiscard]] const PassRecord* record_of(const PassLoad& load) const;
    [[nodiscard]] bool knows_length_of(const PassLoad& load) const;
    [[nodiscard]] double busy_lines(const LinePass& pass, double lines) const;
    [[nodiscard]] std::vector<PassRecord> in_busy_lines(std::vector<PassRecord> records) const;
    [[nodiscard]] double launch_ns(PassKind kind) const;
    /// The median.
    [[nodiscard]] double gb_s_outside_cache(PassKind kind) const;
    /// Where a pass was measured with so few lines that they may lie in the cache, more of them take no less than the
    /// median of the passes that were measured outside it; if there are none, as long as in proportion, launch
    /// included. Else 0.
    [[nodiscard]] double min_ns_outside_cache(const PassRecord& record, double lines) const;

    /// What the shapes of one length have in common.
    using LengthOfPass = std::tuple<PassKind, int, int, int, Precision, SampleType, Layout>;
    [[nodiscard]] static LengthOfPass length_of(const LinePass& pass);
    std::set<LengthOfPass> measured_lengths_;
};

/// The bytes of global memory that a line of a measured pass must move.
[[nodiscard]] double line_bytes(const PassRecord& record);

/// The model's time of a pass, in its own unit.
[[nodiscard]] double model_ns(const PassLoad& load, const DeviceTraits& traits);

/// The terms of which it is the sum, on a GPU; none where it has none.
[[nodiscard]] std::vector<GpuCostTerm> model_terms(const PassLoad& load, const DeviceTraits& traits);

/// What a pass counts where lengths are compared. Among many lengths there is always one that the model is much too
/// kind to: 12288 was taken for 0.88 ms and took 1.66. So a length that was not measured must be clearly cheaper than
/// the one that the model alone would choose, and where some shapes of a length were measured, so must any other shape:
/// those were the best by the model.
[[nodiscard]] double price(const PassCost& cost, bool is_planned_length);

/// The length of such a pass where lines are padded to this extent.
[[nodiscard]] inline int planned_length(PassKind kind, Extent padded)
{
    return kind == PassKind::columns ? padded.height : padded.width;
}

/// A pass of a plan of the fft method, if its rows have this length.
[[nodiscard]] PassLoad load_of(PassKind kind, const Problem& problem, const FftPlan& fft, int row_length);

/// The passes of such a plan.
[[nodiscard]] std::vector<PassLoad> loads_of(const Problem& problem, const FftPlan& fft);

/// What the passes of such a plan cost, together and in words.
struct PassSum {
    double ns = 0;
    double price = 0;  ///< price() of each pass
    int measured = 0;  ///< of three passes
    bool columns_measured = false;
    std::string words;  ///< "rows 576=9.8.8 0.12 ms measured, columns ..."
};
/// `planned`: the lengths that the model alone would choose; none: these.
[[nodiscard]] PassSum sum_of(const Problem& problem, const FftPlan& fft, const PassCosts& costs,
                             std::optional<Extent> planned = std::nullopt);

}  // namespace clconv
