// SPDX-License-Identifier: Apache-2.0
// Which parts of a file are convolved: `--parts all|first|N[,N...]`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clconv {

class PartChoice {
public:
    /// All parts.
    PartChoice() = default;
    /// Parses the text of the option. Throws InvalidProblem for any other text.
    explicit PartChoice(const std::string& text);

    /// The named numbers, ascending, each once; none for all parts.
    [[nodiscard]] const std::optional<std::vector<int>>& named() const { return named_; }

    /// The chosen parts of a file with `count` parts. Named ones need not exist.
    [[nodiscard]] std::vector<int> of(int count) const;

private:
    std::optional<std::vector<int>> named_;
};

}  // namespace clconv
