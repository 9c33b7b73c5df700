// SPDX-License-Identifier: Apache-2.0
// A pass of the fft method as far as its time depends on it: what a pass record speaks for (plan_records/pass_set.h).
//
// Neither the image's extent nor the PSF belongs to it. Times count lines, and a line's samples that are loaded are a
// detail of its length. So a pass that was measured once serves every problem whose lines can have this length.
#pragma once

#include "base/names.h"
#include "base/sample_type.h"
#include "conv/precision.h"
#include "conv/problem.h"
#include "plan/plan_fft.h"

#include <array>
#include <compare>
#include <string>
#include <vector>

namespace clconv {

enum class PassKind { rows, columns, rows_back };
template <>
inline constexpr auto kNames<PassKind> = std::to_array<Named<PassKind>>({{"rows", PassKind::rows},
                                                                         {"columns", PassKind::columns},
                                                                         {"rows back", PassKind::rows_back}});
inline constexpr PassKind kPassKinds[] = {PassKind::rows, PassKind::columns, PassKind::rows_back};

struct LinePass {
    PassKind kind = PassKind::rows;
    std::vector<int> radices;  ///< first stage first
    int lanes = 1;             ///< 8, 16: a work-item owns so many, and the next four have no meaning
    int items = 1;             ///< work-items a line
    int lines = 1;             ///< a work-group
    int channels = 1;          ///< rows back: whose lines a work-group has: one, or all of a pixel
    ExchangeForm exchange = ExchangeForm::whole;
    int bundle_columns = 1;  ///< of the intermediate
    int rows_together = 2;   ///< of the intermediate
    Precision precision = Precision::float32;
    SampleType samples = SampleType::float32;  ///< that rows load, or rows back store; columns: float
    Layout layout = Layout::planar;            ///< of these samples, layout_of_rows(); columns: planar
    // clang-tidy takes the 0 that vectors' orders are compared with for a pointer.
    friend auto operator<=>(const LinePass&, const LinePass&) = default;  // NOLINT(modernize-use-nullptr)
};

/// How the samples of a row lie, as far as its time depends on it: those of one channel are planar in any layout.
[[nodiscard]] inline Layout layout_of_rows(const Problem& problem)
{
    return problem.channels == 1 ? Layout::planar : problem.layout;
}

/// The pass of this kind in a plan of the fft method.
[[nodiscard]] LinePass line_pass(PassKind kind, const Problem& problem, const FftPlan& fft);

/// Its lines in a problem, all channels together: pairs of rows, or columns.
[[nodiscard]] double lines_of(PassKind kind, const Problem& problem, int row_length);

/// The samples of a line that rows load, or rows back store; columns: the mean of both.
[[nodiscard]] int filled_of(PassKind kind, const Problem& problem);

/// The same of a column along this axis, which may be in parts.
[[nodiscard]] int filled_column(const AxisProblem& along);

/// Whether records of passes can rank a plan: work-groups or work-items transform whole lines of one channel, in a
/// launch for each pass.
[[nodiscard]] bool has_whole_lines(const FftPlan& fft);

/// Whether they can speak for it: also, what is no part of a record is as in those that were measured.
[[nodiscard]] bool has_plain_passes(const FftPlan& fft);

/// "rows 3888=18.18.12".
[[nodiscard]] std::string to_string(const LinePass& pass);

}  // namespace clconv
