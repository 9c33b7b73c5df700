// SPDX-License-Identifier: Apache-2.0
// The row passes where a work-item owns a whole line of two rows (CPU): image rows to half spectra, and back.
//
// lane_row_spectra.cl says how eight lines make the spectrum of one.
//
// Needs:  LANES 8; GENERAL, and blocks.cl's defines where it is 0; N is a multiple of 8
//         results.cl's defines
// Shapes: intermediate as lane_row_spectra.cl. One work-item a work-group; work-group = (pair of rows, plane), plane fastest.
//         In local memory: `x`, the eight lines, and `joined`, the whole one.

#define WHOLE_LINES 1
#define CONVOLVE_BLOCKS 0
#include "lane_line.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "lanes.cl"
#include "lane_row_spectra.cl"

/// Rows y and y + 1 of the image to eight lines of `eighth` values side by side; row y again if there is no other (its
/// results are not stored).
INLINE void load_image_rows(sizes s, __local cplx *x, int eighth, __global const in_sample *samples, uint y, uint channel,
                            level level, __global const int *restrict source_column)
{
    for (uint i = 0; i < 2; ++i) {
        __global const in_sample *row = input_row(s, samples, min(y + i, (uint)(s.height - 1)), channel);
        load_row(s, part_of(x, i), 1, eighth, row, true, 0, level, source_column);
    }
}

/// Asks for rows y and y + 1 of the image. Planes that lie pixel by pixel side by side share them.
INLINE void ask_for_image_rows(sizes s, __global const in_sample *samples, uint y, uint plane, uint channel)
{
    if (STEP_X > 1 && plane > 0) return;
    for (uint i = 0; i < 2 && y + i < (uint)s.height; ++i)
        will_read_row(input_row(s, samples, y + i, channel), 0, s.width);
}

/// Two rows of a PSF, planar; position n holds column source_column[n], or nothing where that is negative.
INLINE void load_psf_rows(__local cplx *x, int eighth, __global const scalar *row, uint width, bool has_next,
                          __global const int *restrict source_column)
{
    for (int n = 0; n < eighth; ++n) {
        scalar re[8], im[8];
        for (int i = 0; i < 8; ++i) {
            const int column = source_column[8 * n + i];
            re[i] = column >= 0 ? row[column] : 0;
            im[i] = column >= 0 && has_next ? row[width + column] : 0;
        }
        x[n] = (cplx){vload8(0, re), vload8(0, im)};
    }
}

/// Two rows to their half spectra; `is_back`: half spectra to two rows of the result. Where `psf_height` is not 0 the rows are
/// of one channel of a PSF, planar [psf channel][psf_height][psf_width], and lie where the first plane of an image does.
/// `image_row`: the row of `intermediate` where the first row goes, or comes from.
/// (One kernel for all, and one loop for loads, another for butterflies: a CPU's compiler takes several times as long over
/// each copy of the text as all images of a small batch take.)
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void lane_rows(
    __global const in_sample *restrict samples, __global const scalar *restrict psf,
    __global stored *restrict intermediate, __global out_sample *restrict result, __global const scalar *restrict twiddles,
    __global const uint *restrict place, __global const scalar8 *restrict joint, __global const int *restrict source_column,
    __global const scalar *restrict bias, __global const scalar *restrict restore, __global const scalar *restrict weight,
    __global const scalar *restrict mask, uint first_channel, uint psf_width, uint psf_height, uint is_back,
    uint image_row, __local cplx *restrict x, __local scalar *restrict joined, const lane_stages line, const sizes given)
{
    const sizes s = KNOWN(given);
    const spectrum z = spectrum_at(joined, LENGTH_OF(&line));
    const bool is_psf = psf_height > 0;
    const uint plane = is_psf ? 0 : get_group_id(0) % s.planes, pair = is_psf ? get_group_id(0) : get_group_id(0) / s.planes;
    const uint y = 2 * pair, channel = first_channel + plane;
    const spectra_rows spectra = rows_of_spectra(s, intermediate, plane, image_row + y);
    const int results = y + 1 < (uint)s.out_height ? 2 : 1;

    if (is_back) {
        load_spectra(z, s.columns, spectra, results > 1);
        part_lanes(z, x, place, joint);
    } else if (is_psf) {
        load_psf_rows(x, z.eighth, psf + ((size_t)channel * psf_height + y) * psf_width, psf_width, y + 1 < psf_height,
                      source_column);
    } else {
        load_image_rows(s, x, z.eighth, samples, y, channel, level_of(s, bias, channel), source_column);
        ask_for_image_rows(s, samples, y + 2, plane, channel);  // for the next pair, while this one is transformed
    }
    transform_line(x, &line, is_back, twiddles);
    if (is_back) {
        for (int i = 0; i < results; ++i) {  // parts still swapped
            const result_row row = result_row_of(s, result, samples, restore, weight, mask, y + i, channel);
            store_row(row, 0, s.out_width, part_of(x, 1 - i), 1);
        }
    } else {
        join_lanes(x, z, place, joint);
        store_spectra(z, s.columns, spectra);
    }
}
