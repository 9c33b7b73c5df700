// Which parts of a file are convolved: `--parts all|first|N[,N...]`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clconv {

class PartChoice {
public:
    /// All of them.
    PartChoice() = default;
    /// As typed. Throws InvalidProblem for what is none of these.
    explicit PartChoice(const std::string& text);

    /// The numbers that were named, ascending, each once; none: all parts.
    [[nodiscard]] const std::optional<std::vector<int>>& named() const { return named_; }

    /// Those of a file that has `count` parts. Named ones need not be there.
    [[nodiscard]] std::vector<int> of(int count) const;

private:
    std::optional<std::vector<int>> named_;
};

}  // namespace clconv
