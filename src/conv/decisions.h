// Everything that may be chosen freely: the result does not depend on it, only the speed does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

enum class Method {
    direct,  ///< the sum by its definition: small PSFs
    fft,     ///< rows, columns with the product, rows back
};
[[nodiscard]] std::optional<Method> method_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Method method);

/// Where a line lives while it is transformed.
enum class Residence {
    local,   ///< in one work-group's registers and local memory: one launch a pass
    global,  ///< in global memory: one launch a radix stage
};
[[nodiscard]] std::optional<Residence> residence_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Residence residence);

/// What `--radix` asks for along one axis: nothing, a largest radix, or the whole sequence.
struct RadixRequest {
    std::optional<int> largest;
    std::vector<int> sequence;
};
/// Reads "auto", "32" or "16,16,4", as `option` has it. Throws InvalidProblem naming the option, an unsupported radix
/// and the supported ones.
[[nodiscard]] RadixRequest parse_radix(std::string_view text, std::string_view option = "--radix");

/// How work-groups take the lines of one pass of local residence.
struct ShapeRequest {
    std::optional<int> lines;      ///< a work-group: pairs of rows, or columns
    std::optional<int> items;      ///< work-items a line
    std::optional<bool> split;     ///< exchange real and imaginary parts one after the other
    std::optional<int> registers;  ///< at most so many a work-item, where the compiler takes a limit (NVIDIA)
};

/// What is forced; everything that is left out is the planner's to choose.
struct Decisions {
    std::optional<Method> method;
    std::optional<Residence> residence;
    RadixRequest radix_x;
    RadixRequest radix_y;
    ShapeRequest rows;
    ShapeRequest columns;
    std::optional<int> lanes;         ///< 1: work-items share lines; 8: each owns eight whole ones
    std::optional<int> tile_columns;  ///< of the intermediate
};

/// Sets the decision of a "KEY=VALUE". Throws InvalidProblem naming the keys, or the values of that key.
void decide(Decisions& decisions, std::string_view key_value);

/// The keys that decide() knows, each with its values: "method=direct|fft".
[[nodiscard]] std::vector<std::string> decision_keys();

}  // namespace clconv
