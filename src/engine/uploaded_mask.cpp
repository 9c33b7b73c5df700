// SPDX-License-Identifier: Apache-2.0
#include "engine/uploaded_mask.h"

#include "conv/axis.h"
#include "passes/scalars.h"

namespace clconv {

cl::Buffer UploadedMask::of(const Flight& flight, const Problem& problem)
{
    if (!mask_) return {};
    if (!flight.piece.mask.empty()) return upload_scalars(device_, flight.piece.mask, problem.precision);
    const Position first = first_output(problem);
    const Extent size = output_extent(problem);
    if (!part_ || part_->first != first || part_->size != size)
        part_ = Part{first, size, upload_scalars(device_, part_of(*mask_, first, size), problem.precision)};
    return part_->values;
}

}  // namespace clconv
