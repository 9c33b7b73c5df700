// SPDX-License-Identifier: Apache-2.0
#include "batch/result_header.h"

#include "conv/axis.h"

namespace clconv {

ResultSamples samples_of(const ImageHeader& input) { return {input.type, input.stored_type, input.light}; }

ImageHeader result_header(const ImageHeader& input, const Problem& problem, const ResultSamples& samples)
{
    ImageHeader result = input;
    result.extent = output_extent(problem);
    result.place = first_output(problem);
    result.type = samples.type;
    result.stored_type = samples.stored_type;
    result.light = written_light(samples.light);
    result.overflowed = 0;
    result.damage.clear();
    result.warnings.clear();
    return result;
}

}  // namespace clconv
