// What is wanted (Problem), what may be chosen (Decisions) and what will run (Plan). Pure values.
#pragma once

#include "base/extent.h"
#include "base/sample_type.h"
#include "conv/border.h"
#include "conv/device_traits.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// Which positions the output covers: what `--mode` asks for.
enum class Mode {
    same,   ///< the image's own
    full,   ///< every position the PSF touches
    valid,  ///< positions that need no border
};
[[nodiscard]] std::optional<Mode> mode_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Mode mode);

enum class Method { direct, fft };
[[nodiscard]] std::optional<Method> method_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Method method);

/// Where a line lives while it is transformed.
enum class Residence {
    local,   ///< in one work-group's registers and local memory: one launch a pass
    global,  ///< in global memory: one launch a radix stage
};
[[nodiscard]] std::optional<Residence> residence_named(std::string_view name);
[[nodiscard]] std::string_view name_of(Residence residence);

/// One convolution, independent of device and content.
struct Problem {
    Extent image;
    int channels = 1;
    SampleType input = SampleType::float32;
    SampleType output = SampleType::float32;
    Extent psf;
    Position origin;
    int psf_channels = 1;  ///< 1, or as many as the image has
    Border border = Border::clamp;
    Mode mode = Mode::same;
};

/// One line: "3840x2160x3 u8>u8 * 511x511@255,255x1 clamp same". Two problems with one token have one plan.
[[nodiscard]] std::string token(const Problem& problem);

/// Extent of the output. Throws InvalidProblem naming both sizes if `valid` has no position.
[[nodiscard]] Extent output_extent(const Problem& problem);

/// What `--radix` asks for along one axis: nothing, a largest radix, or the whole sequence.
struct RadixRequest {
    std::optional<int> largest;
    std::vector<int> sequence;
};
/// Reads "auto", "32" or "16,16,4". Throws InvalidProblem naming an unsupported radix and the supported ones.
[[nodiscard]] RadixRequest parse_radix(std::string_view text);

/// Everything that may be chosen freely: the result does not depend on it, only the speed does.
struct Decisions {
    std::optional<Method> method;
    std::optional<Residence> residence;
    RadixRequest radix_x;
    RadixRequest radix_y;
};

struct Plan;  // conv/plan_types.h holds the passes

}  // namespace clconv
