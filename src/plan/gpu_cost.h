// SPDX-License-Identifier: Apache-2.0
// The cost of a pass of local residence on a GPU: a model that is fitted to measurements, for ranking plans.
#pragma once

#include "base/sample_type.h"

#include <span>
#include <string>
#include <vector>

namespace clconv {

/// A pass, from the view of its work-groups.
struct GpuPass {
    bool columns = false;          ///< the column pass, which runs its stages twice; else a row pass
    std::span<const int> radices;  ///< of a line
    int items = 1;                 ///< work-items a line
    int values = 1;                ///< complex values a work-item holds
    int work = 0;                  ///< values that all work-items of a line could hold, over all stages
    int lines = 1;                 ///< a work-group, of all its channels
    int channels = 1;              ///< a work-group; more than one only of rows back
    bool split = false;            ///< exchange real and imaginary parts one after the other
    int bundle_columns = 1;        ///< of the intermediate
    int rows_together = 2;         ///< of the intermediate
    int scalar_bytes = 4;          ///< of a real or imaginary part in local memory
    int stored_bytes = 8;          ///< of a complex value of the intermediate
    int sample_step = 1;           ///< of rows back: gpu_sample_step()
    double line_bytes = 0;  ///< of global memory, for each line: those that the rows read or write besides the spectra,
                            ///< or all that the columns read and write
    double lines_in_all = 0;  ///< of the whole pass
};

/// What GpuPass::sample_step is where a work-group stores every n-th sample of a row, n the image's channels.
[[nodiscard]] int gpu_sample_step(SampleType type, int channels);

/// Nanoseconds on an NVIDIA H200. On other GPUs, only the order of plans has a meaning.
[[nodiscard]] double gpu_pass_ns(const GpuPass& pass);

/// The part that does not depend on the shape: arithmetic, exchanges, memory.
[[nodiscard]] double gpu_line_ns(const GpuPass& pass);

/// A part of the model: a constant of gpu_cost.cpp, or of the table of radices, times what the pass has of it.
struct GpuCostTerm {
    std::string name;  ///< "byte", "radix 16"
    double constant = 0;
    double factor = 0;  ///< ns for a constant of 1
};

/// The terms of gpu_pass_ns(), which is their sum: for fitting the constants (bench/fit-passes).
[[nodiscard]] std::vector<GpuCostTerm> gpu_pass_terms(const GpuPass& pass);

/// The part of the launch, which does not grow with the lines.
[[nodiscard]] double gpu_launch_ns(bool columns);

/// The part of these bytes of global memory.
[[nodiscard]] double gpu_bytes_ns(bool columns, double bytes);

}  // namespace clconv
