// SPDX-License-Identifier: Apache-2.0
// The result of measuring: on this device, this problem is fastest with these decisions.
//
// A record is a value that prints as JSON. An old, foreign or wrong record does no harm: decisions never change a
// result, and the lookup ignores those that do not fit (plan_records/lookup.h).
#pragma once

#include "conv/problem.h"
#include "opencl/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// What a measurement depends on.
struct RecordKey {
    std::string platform;
    std::string device;
    std::uint64_t compute_units = 0;
    std::string driver;
    std::string kernels;              ///< KernelSource::fingerprint()
    std::string problem;              ///< token()
    std::vector<std::string> forced;  ///< decided() of what the user forced, except programs=
    friend bool operator==(const RecordKey&, const RecordKey&) = default;
};

/// Forced decisions make another record. The kind of programs does not, because both kinds have the same plans.
[[nodiscard]] RecordKey record_key(const DeviceInfo& device, std::string_view kernels, const Problem& problem,
                                   std::vector<std::string> forced);

struct Record {
    RecordKey key;
    std::string similar;                 ///< similar_token() of the problem
    std::vector<std::string> decisions;  ///< KEY=VALUE, as decide() takes them, beside the forced ones
    std::string plan;                    ///< title_of() the plan, for readers of the file
    double ms = 0;                       ///< median of an image with these decisions
    double heuristic_ms = 0;             ///< without them, in the same measurement
    friend bool operator==(const Record&, const Record&) = default;
};

/// The properties that a problem shares with others for which the same decisions are good: the padded size that the
/// planner chooses by itself, channels, sample types, layout, mode and precision. The exact size of image and PSF does
/// not matter.
[[nodiscard]] std::string similar_token(const Problem& problem, Extent padded);

/// The record as a JSON object, indented, with the version of this form.
[[nodiscard]] std::string record_text(const Record& record);

/// Nothing if the text is not a record of this version: torn, foreign or old.
[[nodiscard]] std::optional<Record> parse_record(std::string_view text);

/// Many records as one JSON text: what `tune --export` writes and data/tuning holds.
[[nodiscard]] std::string records_text(const std::vector<Record>& records);

/// The records of such a text; nothing if it is not one. Entries that are not records are left out.
[[nodiscard]] std::optional<std::vector<Record>> parse_records(std::string_view text);

}  // namespace clconv
