// SPDX-License-Identifier: Apache-2.0
// The output of `clconv compare`: text and JSON.
#pragma once

#include "compare/comparison.h"
#include "image_commands/compared_files.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// One part of two files.
struct ComparedPart {
    Comparison comparison;
    std::vector<std::string> failures;
};

struct ComparedPair {
    FilePair files;
    std::string error = {};                  ///< why a file cannot be read; then there is nothing else
    std::vector<std::string> failures = {};  ///< of the files as a whole
    std::vector<ComparedPart> parts = {};

    [[nodiscard]] bool has_failed() const;
};

struct CompareReport {
    std::vector<std::string> only_in_a;
    std::vector<std::string> only_in_b;
    std::vector<ComparedPair> pairs;
    Tolerances tolerances;

    [[nodiscard]] bool has_unreadable() const;
    [[nodiscard]] bool has_failed() const;
};

[[nodiscard]] std::string text_of_report(const CompareReport& report);

/// Numbers that are not finite are the strings "inf", "-inf" and "nan", because JSON has none.
[[nodiscard]] nlohmann::ordered_json json_of_report(const CompareReport& report);

}  // namespace clconv
