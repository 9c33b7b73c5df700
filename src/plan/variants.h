// SPDX-License-Identifier: Apache-2.0
// The variants of a plan whose lines work-groups share (Variants in decisions.h): chosen, as defines, and in words.
#pragma once

#include "plan/decision_table.h"

#include <string>
#include <vector>

namespace clconv {

/// Chooses the variants of planned rows and columns: the decided ones, else the first ones. Lines that work-groups do
/// not share have the first ones.
void choose_variants(FftPlan& plan, const Decisions& decisions);

/// A "#define NAME VALUE" line for each variant of this program.
[[nodiscard]] std::string variant_defines(const FftPlan& plan, SharedProgram program);
/// Words for a program's name, such as "-separate": one for each variant that is not the first one.
[[nodiscard]] std::string variant_words(const FftPlan& plan, SharedProgram program);
/// Words for a plan's text, such as ", two channels a line": for each variant that is not the first one.
[[nodiscard]] std::string variant_text(const FftPlan& plan);

/// The decisions that do not fit lines that work-items own, or lines in global memory: "row-lines=2".
[[nodiscard]] std::vector<std::string> unfit_for_owned_lines(const Decisions& decisions);
[[nodiscard]] std::vector<std::string> unfit_for_global_lines(const Decisions& decisions);

}  // namespace clconv
