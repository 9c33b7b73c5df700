// SPDX-License-Identifier: Apache-2.0
// The passes that were measured on one device, and their form as JSON: the only place that knows it.
//
// A set is a value that prints. One that is torn, foreign or of another version is none, and a pass that makes no sense
// is left out. Whatever it says, it can only make a plan slower: decisions never change a result beyond rounding.
#pragma once

#include "opencl/device.h"
#include "plan/pass_times.h"
#include "plan_records/record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// What the measurement of a pass depends on, besides the pass.
struct PassSetKey {
    std::string platform;
    std::string device;
    std::uint64_t compute_units = 0;
    std::string driver;
    std::string kernels;  ///< KernelSource::fingerprint()
    friend bool operator==(const PassSetKey&, const PassSetKey&) = default;
};
[[nodiscard]] PassSetKey pass_set_key(const DeviceInfo& device, std::string_view kernels);

struct PassSet {
    PassSetKey key;
    std::vector<PassRecord> passes;
    double copy_gb_s = 0;  ///< the device's, for comparison; 0: unknown
    friend bool operator==(const PassSet&, const PassSet&) = default;
};

/// More passes of a set are not read. A device's menu has some thousands.
inline constexpr std::size_t kMaxPasses = 20000;

/// A line of JSON a pass.
[[nodiscard]] std::string pass_set_text(const PassSet& set);

/// Nothing if the text is not a set of this version.
[[nodiscard]] std::optional<PassSet> parse_pass_set(std::string_view text);

/// What `tune --export` writes and data/tuning holds: records of problems, and passes.
[[nodiscard]] std::string export_text(const std::vector<Record>& records, const std::vector<PassSet>& sets);
/// The passes of such a text; none if it is not one. Sets that are none are left out.
[[nodiscard]] std::vector<PassSet> parse_exported_passes(std::string_view text);

/// `set` on top of what `known` has of its device, if that is of the same driver and kernels; else `set`.
[[nodiscard]] PassSet merged(const std::vector<PassSet>& known, const PassSet& set);

/// Adds `pass`, or replaces what the set has of it.
void add_pass(PassSet& set, PassRecord pass);

/// Adds times of a pass, ascending in lines. Of those that the set has, they replace all if lines were filled
/// otherwise, else none: only times of fewer or more lines are added, because points of two measurements beside each
/// other would bend the curve between them.
void add_points(PassSet& set, const LinePass& pass, int filled, const std::vector<PassPoint>& points);

/// Whether two numbers of lines are within a factor of three.
[[nodiscard]] bool about_as_many(double lines, double others);

}  // namespace clconv
