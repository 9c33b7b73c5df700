// SPDX-License-Identifier: Apache-2.0
// The column pass where a work-item owns LANES whole columns (CPU): forward, times transfer, back.
//
// Needs:  LANES; GENERAL, and blocks.cl's defines (STAGES 2 .. 6) where it is 0
// Shapes: intermediate[plane][bundles][2 packs], each element a vector of LANES columns;
//         transfer[psf channel][vectors][length], in the order in which the blocks end (digit-reversed).
//         One work-item a work-group; work-group = (vector of columns, plane). Position n of a column is row
//         source_row[n], or nothing where that is negative. Where s.valid_y is not 0, a column is several lines, one after
//         the other: position n of the line whose first result is row y is position n + y of source_row.
//         `x`: a column in local memory; with LONG_LINES [work-group][length] in global memory, and each of a few
//         work-groups does many vectors, one after the other. `source`: of the same shape as intermediate, and the
//         same buffer unless a later PSF needs the image's rows again.

#define WHOLE_LINES 0
#define CONVOLVE_BLOCKS 1
#include "lane_line.cl"
#include "sizes.cl"

/// A vector of columns: `task` counts these, plane by plane.
INLINE void convolve_columns_of(sizes s, uint task, LINE_SPACE cplx *restrict x, __global const stored *source,
                                __global stored *intermediate, __global stored *restrict transfer,
                                __global const scalar *restrict forward_twiddle,
                                __global const scalar *restrict back_twiddle, __global const int *restrict source_row,
                                uint first_channel, int sign, uint image_row, const lane_stages *line)
{
    const uint vectors = (s.columns + LANES - 1) / LANES;
    const uint vector = task % vectors, plane = task / vectors;
    const uint psf_channel = s.psf_channels == 1 ? 0 : first_channel + plane;
    const size_t first = (plane * (size_t)s.bundles + vector) * (2 * s.packs);
    transfer += ((size_t)psf_channel * vectors + vector) * LENGTH_OF(line);

    const int part = s.valid_y > 0 ? s.valid_y : s.out_height;  // results of a part
    for (int y = 0; y == 0 || y < s.out_height; y += part) {
        WITH_STAGE_0(line, load_column, (x, STEP_0(line), source + first + image_row, source_row + y))
        convolve_blocks(x, line, sign, transfer, forward_twiddle, back_twiddle);
        if (sign == 0) return;
        WITH_STAGE_0(line, store_column,
                     (x, STEP_0(line), intermediate + first + y, min(part, s.out_height - y), s.column_scale,
                      back_twiddle + 2 * BACK_TABLE_0(line)))
    }
}

/// Columns of the image to their convolution, from `source` to `intermediate`. `sign`: 1; -1 for an adjoint, whose
/// transfer is the conjugate; 0 for columns of one channel of a PSF, which lie where the first plane of an image does, and
/// go to `transfer` instead. (One kernel for all: see lane_rows.cl.) `image_row`: of `source`, where the image's first row
/// is; below that is room for results of parts that must not overwrite what later parts load. `tasks`: vectors of columns
/// in all planes.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void convolve_lanes(
    __global const stored *source, __global stored *intermediate, __global stored *restrict transfer,
    __global const scalar *restrict forward_twiddle, __global const scalar *restrict back_twiddle,
    __global const int *restrict source_row, uint first_channel, int sign, uint image_row, uint tasks,
    LINE_SPACE cplx *restrict x, const lane_stages line, const sizes given)
{
    const sizes s = KNOWN(given);
#if LONG_LINES
    x += (size_t)get_group_id(0) * LENGTH_OF(&line);
    for (uint task = get_group_id(0); task < tasks; task += get_num_groups(0))
#else
    const uint task = get_group_id(0);
#endif
        convolve_columns_of(s, task, x, source, intermediate, transfer, forward_twiddle, back_twiddle, source_row,
                            first_channel, sign, image_row, &line);
}
