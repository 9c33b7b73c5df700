// SPDX-License-Identifier: Apache-2.0
// Richardson-Lucy beside its two convolutions: the image becomes data, and the estimate the result; ratios and updates.
//
//     x  <-  x  A'(w y / (A x + b)) / A' w
// x is the estimate, y the data, w their weights, b the background, A the convolution and A' its adjoint. Source of the
// formula: W. H. Richardson (1972) and L. B. Lucy (1974). An estimate that is larger than the image, with a divisor A' w
// that knows where the data end: M. Bertero and P. Boccacci (2005). docs/deconvolution.md
//
// Needs:  results.cl's defines of the image; PLANAR 0; LANES 1
//         WEIGHTED       1: each sample of the data has a weight (default 0: it is 1)
//         LUMINANCE      1: data and estimate are one plane, the luminance of the channels 0 to 2; the result is the image
//                        with that of the estimate (default 0: a plane for each channel)
//         UNBOUNDED      1: data, estimates and ratios may be negative, and nothing limits a ratio (default 0)
//         INTERLEAVED_ITEMS   1: where planes are added up, neighbouring work-items take neighbouring pixels, and a work-item
//                        takes eight that lie apart (GPUs). Default 0: its eight are neighbours (CPUs)
//         HAS_RATIO, HAS_UPDATE, HAS_UPDATE_AHEAD, HAS_BIGGS_ANDREWS, HAS_SMOOTH   0: without the kernels of these names, which
//                        these iterations do not use (default 1). A compiler would take half a second for each
// Shapes: data, known, convolved: [y][x][plane] of the image, floats. estimate, factor, share: the same of the estimate,
//         which is `wide` pixels wide; the image's first pixel is its pixel `from`.
//         numbers: [plane] the mean of the plane's data; behind them, [plane] its momentum of biggs-andrews.
//         partial: a number of each work-group, or two
//         Work-items of load and start: (x, y of all planes), of store: (x, y of all channels). Those of ratio: eight
//         samples at a time; work-group = `chunk` samples. Of sum_up, improve: eight pixels of a plane at a time;
//         work-group = (plane, `chunk` pixels), planes first. Of mean, momentum: work-group = plane.
//         Of reciprocal: a sample. Of updates: four samples.

#ifndef CHANNELS  // alone
#define CHANNELS 3
#define PLANAR 0
#endif

#include "complex.cl"
#include "sizes.cl"
#include "samples.cl"
#include "results.cl"
#include "iteration.cl"

#ifndef LUMINANCE
#define LUMINANCE 0
#endif
#define PLANES (LUMINANCE ? 1 : CHANNELS)

#ifndef INTERLEAVED_ITEMS
#define INTERLEAVED_ITEMS 0
#endif

#ifndef HAS_RATIO  // alone
#define HAS_RATIO 1
#define HAS_UPDATE 1
#define HAS_UPDATE_AHEAD 1
#define HAS_BIGGS_ANDREWS 1
#define HAS_SMOOTH 1
#endif

#define GROUP 64
#define IN_GROUPS __attribute__((reqd_work_group_size(GROUP, 1, 1)))

/// The sum of a number of each work-item. Every work-item reaches this.
INLINE float sum_of_group(float own, __local float *all)
{
    all[get_local_id(0)] = own;
    for (uint half_of = GROUP / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) < half_of) all[get_local_id(0)] += all[get_local_id(0) + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return all[0];
}

/// Which of the samples i .. i + 7 come before `end`. Buffers hold a multiple of eight, so that others may be loaded and
/// stored, too.
INLINE int8 is_before(size_t i, size_t end) { return (int8)(0, 1, 2, 3, 4, 5, 6, 7) < (int8)((int)min(end - i, (size_t)8)); }
INLINE float sum_of_eight(float8 a)
{
    const float4 b = a.lo + a.hi;
    return (b.x + b.y) + (b.z + b.w);
}

/// The numbers of the planes of the samples i .. i + 7.
INLINE float8 of_planes(__global const float *numbers, size_t i)
{
    const uint8 planes = ((uint)(i % PLANES) + (uint8)(0, 1, 2, 3, 4, 5, 6, 7)) % PLANES;
    return (float8)(numbers[planes.s0], numbers[planes.s1], numbers[planes.s2], numbers[planes.s3], numbers[planes.s4],
                    numbers[planes.s5], numbers[planes.s6], numbers[planes.s7]);
}

/// From one of a work-item's eight pixels to the next. It is the same for any number of planes, so that a plane's sums do not
/// depend on the others.
#define PIXEL_STEP (INTERLEAVED_ITEMS ? GROUP : 1)
#define STEP (PIXEL_STEP * PLANES)  // in samples

/// The pixels of a plane that a work-group adds up, and the first that is a work-item's own.
typedef struct {
    uint plane;
    size_t begin, end;
} plane_part;
INLINE plane_part own_part(ulong chunk, ulong pixels)
{
    const size_t first = get_group_id(0) / PLANES * chunk, own = get_local_id(0) * (INTERLEAVED_ITEMS ? 1 : 8);
    return (plane_part){get_group_id(0) % PLANES, first + own, min(first + chunk, pixels)};
}
/// How many of a work-item's eight pixels from `pixel` on there are.
INLINE int own_pixels(plane_part own, size_t pixel)
{
    return min((own.end - pixel + PIXEL_STEP - 1) / PIXEL_STEP, (size_t)8);
}

/// A sample of the data: its value, and the largest of the samples that it is made of.
typedef struct {
    float value, largest;
} datum;

INLINE datum datum_of(sizes s, __global const in_sample *samples, __global const scalar *bias, int x, int y, uint plane)
{
#if LUMINANCE
    const float weights[3] = {0.2126f, 0.7152f, 0.0722f};  // of the light of BT.709, and so of sRGB
    datum all = {0, 0};
    for (uint c = 0; c < 3; ++c) {
        const float part = taken_sample(input_row(s, samples, y, c) + x * STEP_X, level_of(s, bias, c));
        all.value += weights[c] * (part < 0 && isfinite(part) ? 0 : part);
        all.largest = part > all.largest ? part : all.largest;
    }
    return all;
#else
    const float value = taken_sample(input_row(s, samples, y, plane) + x * STEP_X, level_of(s, bias, plane));
    return (datum){value, value};
#endif
}

/// The image to data and weights. Unless UNBOUNDED, negative samples become 0. WEIGHTED: a weight is `weights` [y][x] if
/// `has_weights`, else 1; but 0 for a sample that is not finite, or not less than `most`.
__kernel void load(__global const in_sample *restrict samples, __global float *restrict data, __global float *restrict known,
                   __global const scalar *restrict bias, __global const float *restrict weights, uint has_weights, float most,
                   const sizes given)
{
    const sizes s = KNOWN(given);
    const int x = get_global_id(0), y = get_global_id(1) % s.height;
    const uint plane = get_global_id(1) / s.height;
    if (x >= s.width) return;
    const size_t pixel = (size_t)y * s.width + x, i = pixel * PLANES + plane;
    const datum sample = datum_of(s, samples, bias, x, y, plane);
    float value = sample.value;
#if WEIGHTED
    const bool is_known = isfinite(value) && sample.largest < most;
    known[i] = is_known ? (has_weights ? weights[pixel] : 1) : 0;
    if (!isfinite(value)) value = 0;
#else
    known[i] = 1;
#endif
    data[i] = UNBOUNDED || !(value < 0) ? value : 0;
}

/// A work-group's sums of weighted data and of weights, of one plane.
__kernel IN_GROUPS void sum_up(__global const float *restrict data, __global const float *restrict known,
                               __global float *restrict partial, ulong chunk, ulong pixels)
{
    __local float all[GROUP];
    const plane_part own = own_part(chunk, pixels);
    float8 sum = 0, weight = 0;
    for (size_t pixel = own.begin; pixel < own.end; pixel += 8 * GROUP) {
        const size_t i = pixel * PLANES + own.plane;
        const int count = own_pixels(own, pixel);
        const float8 w = load_eight(known + i, STEP, count);
        sum = fma(w, load_eight(data + i, STEP, count), sum);
        weight += w;
    }
    const float of_data = sum_of_group(sum_of_eight(sum), all);
    barrier(CLK_LOCAL_MEM_FENCE);
    const float of_weights = sum_of_group(sum_of_eight(weight), all);
    if (get_local_id(0) == 0) {
        partial[2 * get_group_id(0)] = of_data;
        partial[2 * get_group_id(0) + 1] = of_weights;
    }
}

/// The mean of a plane from the partial sums of `groups` work-groups.
__kernel IN_GROUPS void mean(__global const float *restrict partial, __global float *restrict numbers, uint groups)
{
    __local float all[GROUP];
    const uint plane = get_group_id(0);
    float sum = 0, weight = 0;
    for (uint k = get_local_id(0) * PLANES + plane; k < groups; k += GROUP * PLANES)
        sum += partial[2 * k], weight += partial[2 * k + 1];
    sum = sum_of_group(sum, all);
    barrier(CLK_LOCAL_MEM_FENCE);
    weight = sum_of_group(weight, all);
    if (get_local_id(0) == 0) numbers[plane] = weight > 0 ? sum / weight : 0;
}

/// In place: A' w to its reciprocal, and to 0 where it is less than `least` of its plane.
__kernel void reciprocal(__global float *restrict share, __global const float *restrict least, ulong count)
{
    const size_t i = get_global_id(0);
    if (i >= count) return;
    const float weight = share[i];
    share[i] = weight > least[i % PLANES] ? 1 / weight : 0;
}

/// The first estimate: `value`, or the plane's mean if that is negative; where `is_image`, and where the data say nothing,
/// the sample itself.
__kernel void start(__global float *restrict estimate, __global const float *restrict share,
                    __global const float *restrict data, __global const float *restrict numbers, float value, uint is_image,
                    int wide, int high, int from_x, int from_y, const sizes given)
{
    const sizes s = KNOWN(given);
    const int x = get_global_id(0), y = get_global_id(1) % high;
    const uint plane = get_global_id(1) / high;
    if (x >= wide) return;
    const size_t i = ((size_t)y * wide + x) * PLANES + plane;
    const int column = x - from_x, row = y - from_y;
    const bool is_inside = column >= 0 && column < s.width && row >= 0 && row < s.height;
    const float flat = value >= 0 ? value : numbers[plane];
    const int nearest_x = clamp(column, 0, s.width - 1), nearest_y = clamp(row, 0, s.height - 1);
    const float sample = data[((size_t)nearest_y * s.width + nearest_x) * PLANES + plane];
    const bool takes_sample = is_image || (is_inside && share[i] == 0);
    estimate[i] = takes_sample ? (sample > 0 || UNBOUNDED ? sample : flat * 1e-3f) : flat;
}

#if HAS_RATIO
/// In place: A x to the weighted ratio w y / (A x + b). partial[first + work-group]: what the work-group adds to the
/// I-divergence of the data from the model, the sum of w (y log(y / m) - y + m).
__kernel IN_GROUPS void ratio(__global float *restrict convolved, __global const float *restrict data,
                              __global const float *restrict known, __global float *restrict partial,
                              __global const float *restrict numbers, float background, uint first, ulong chunk,
                              ulong count)
{
    __local float all[GROUP];
    const size_t begin = get_group_id(0) * chunk, end = min(begin + chunk, count);
    float8 sum = 0;
    for (size_t i = begin + 8 * get_local_id(0); i < end; i += 8 * GROUP) {
        const float8 model = vload8(0, convolved + i) + background;
        const float8 weight = WEIGHTED ? vload8(0, known + i) : (float8)(1);
        float8 part;
        const float8 least = least_model_float8(of_planes(numbers, i));
        const float8 ratio = ratio_of_float8(vload8(0, data + i), model, weight, least, &part);
        sum += is_before(i, end) ? part : (float8)(0);
        vstore8(ratio, 0, convolved + i);
    }
    const float divergence = sum_of_group(sum_of_eight(sum), all);
    if (get_local_id(0) == 0) partial[first + get_group_id(0)] = divergence;
}
#endif

#if HAS_UPDATE
/// The estimate times the factor A'(ratio) / A' w, where data say something.
__kernel void update(__global float *restrict estimate, __global const float *restrict factor,
                     __global const float *restrict share, ulong count)
{
    const size_t i = 4 * get_global_id(0);
    if (i >= count) return;
    vstore4(improved_float4(vload4(0, estimate + i), vload4(0, factor + i), vload4(0, share + i)), 0, estimate + i);
}
#endif

#if HAS_UPDATE_AHEAD
/// The same where the estimate is one that runs ahead: it becomes the improved one plus `momentum` times the last change,
/// and at least a tenth of it. `improved`: without that, of this iteration and the one before.
__kernel void update_ahead(__global float *restrict estimate, __global float *restrict improved,
                           __global const float *restrict factor, __global const float *restrict share, float momentum,
                           ulong count)
{
    const size_t i = 4 * get_global_id(0);
    if (i >= count) return;
    const float4 before = vload4(0, improved + i);
    const float4 now = improved_float4(vload4(0, estimate + i), vload4(0, factor + i), vload4(0, share + i));
    vstore4(now, 0, improved + i);
    vstore4(ahead_float4(now, before, momentum), 0, estimate + i);
}
#endif

#if HAS_BIGGS_ANDREWS
/// A work-group's part of what decides a plane's momentum of Biggs and Andrews: the improvement g of this iteration times
/// that of the one before, and the square of the latter. `factor` becomes the improved estimate, `change` g. g is over the
/// mean of the plane's data, because squares of very small or large numbers are no floats.
__kernel IN_GROUPS void improve(__global const float *restrict estimate, __global float *restrict factor,
                                __global float *restrict change, __global const float *restrict share,
                                __global float *restrict partial, __global const float *restrict numbers, uint is_first,
                                ulong chunk, ulong pixels)
{
    __local float all[GROUP];
    const plane_part own = own_part(chunk, pixels);
    const float mean = numbers[own.plane], unit = mean > 0 ? 1 / mean : 1;
    float8 product = 0, square = 0;
    for (size_t pixel = own.begin; pixel < own.end; pixel += 8 * GROUP) {
        const size_t i = pixel * PLANES + own.plane;
        const int count = own_pixels(own, pixel);
        const float8 x = load_eight(estimate + i, STEP, count);
        const float8 of_factor = load_eight(factor + i, STEP, count), of_share = load_eight(share + i, STEP, count);
        const float8 now = improved_float8(x, of_factor, of_share);
        const float8 g = (now - x) * unit, before = is_first ? (float8)(0) : load_eight(change + i, STEP, count);
        product = fma(g, before, product);
        square = fma(before, before, square);
        store_eight(now, factor + i, STEP, count);
        store_eight(g, change + i, STEP, count);
    }
    const float of_product = sum_of_group(sum_of_eight(product), all);
    barrier(CLK_LOCAL_MEM_FENCE);
    const float of_square = sum_of_group(sum_of_eight(square), all);
    if (get_local_id(0) == 0) {
        partial[2 * get_group_id(0)] = of_product;
        partial[2 * get_group_id(0) + 1] = of_square;
    }
}

/// A plane's momentum, between 0 and `most`, from the partial sums of `groups` work-groups.
__kernel IN_GROUPS void momentum(__global const float *restrict partial, __global float *restrict numbers, uint groups,
                                 float most)
{
    __local float all[GROUP];
    const uint plane = get_group_id(0);
    float product = 0, square = 0;
    for (uint k = get_local_id(0) * PLANES + plane; k < groups; k += GROUP * PLANES)
        product += partial[2 * k], square += partial[2 * k + 1];
    product = sum_of_group(product, all);
    barrier(CLK_LOCAL_MEM_FENCE);
    square = sum_of_group(square, all);
    if (get_local_id(0) == 0) numbers[PLANES + plane] = square > 0 ? clamp(product / square, 0.0f, most) : 0;
}

/// The next estimate: `now` plus the momentum times its last change, and no less than a tenth of `now`.
__kernel void run_ahead(__global float *restrict estimate, __global float *restrict improved,
                        __global const float *restrict now_all, __global const float *restrict numbers, uint is_last,
                        ulong count)
{
    const size_t i = 4 * get_global_id(0);
    if (i >= count) return;
    const float4 now = vload4(0, now_all + i), before = vload4(0, improved + i);
    vstore4(now, 0, improved + i);
    const float4 momentum = is_last ? (float4)(0) : of_planes(numbers + PLANES, i).lo;
    vstore4(ahead_float4(now, before, momentum), 0, estimate + i);
}
#endif

#if HAS_SMOOTH
/// Total variation: the factor, or the shares, over 1 - `strength` times the divergence of the estimate's normalised gradient,
/// after N. Dey et al. (2006). Differences are taken to the right and below, and are 0 beyond the estimate. Work-item (x, y of
/// all planes).
///
/// The estimate is `now`, or with a momentum what runs ahead of it by that, as estimates do between two iterations.
typedef struct {
    __global const float *now, *before;
    float momentum;
} estimate_ahead;
INLINE float estimate_at(estimate_ahead e, size_t i)
{
    return e.momentum > 0 ? ahead_float(e.now[i], e.before[i], e.momentum) : e.now[i];
}
/// `unit`: 1 over what is added to the length of a gradient. Lengths are in that unit, because squares of very small or large
/// numbers are no floats.
INLINE float2 direction(estimate_ahead e, size_t i, bool has_right, bool has_below, int pitch, float unit)
{
    const float here = estimate_at(e, i);
    const float right = has_right ? estimate_at(e, i + PLANES) : here, below = has_below ? estimate_at(e, i + pitch) : here;
    const float2 d = (float2)(right - here, below - here) * unit;
    return d * rsqrt(fma(d.x, d.x, fma(d.y, d.y, 1.0f)));
}
__kernel void smooth(__global const float *from, __global float *result, __global const float *now,
                     __global const float *before, __global const float *restrict numbers, float strength, float momentum,
                     int wide, int high)
{
    const int x = get_global_id(0), y = get_global_id(1) % high, pitch = wide * PLANES;
    if (x >= wide) return;
    const uint plane = get_global_id(1) / high;
    const size_t i = ((size_t)y * wide + x) * PLANES + plane;
    const float unit = numbers[plane] > 0 ? 1e3f / numbers[plane] : 1;
    const estimate_ahead e = {now, before, momentum};
    const bool has_right = x + 1 < wide, has_below = y + 1 < high;
    const float2 own = direction(e, i, has_right, has_below, pitch, unit);
    const float left = x > 0 ? direction(e, i - PLANES, true, has_below, pitch, unit).x : 0;
    const float above = y > 0 ? direction(e, i - pitch, has_right, true, pitch, unit).y : 0;
    result[i] = from[i] / fmax(1 - strength * (own.x - left + own.y - above), 0.1f);
}
#endif

/// The image's part of the estimate to the result. LUMINANCE: each colour of the image times the estimate over the image's
/// own luminance, which is never less than the colour's weight times the colour; other channels as they are.
__kernel void store(__global const in_sample *restrict samples, __global const float *restrict estimate,
                    __global out_sample *restrict result, __global const scalar *restrict bias,
                    __global const scalar *restrict restore, __global const scalar *restrict mask, int wide, int from_x,
                    int from_y, const sizes given)
{
    const sizes s = KNOWN(given);
    const int x = get_global_id(0), y = get_global_id(1) % s.out_height;
    const uint channel = get_global_id(1) / s.out_height;
    if (x >= s.out_width) return;
    const size_t i = ((size_t)(y + from_y) * wide + x + from_x) * PLANES + (LUMINANCE ? 0 : channel);
    float value = estimate[i];
#if LUMINANCE
    const float own = taken_sample(input_row(s, samples, y, channel) + x * STEP_X, level_of(s, bias, channel));
    const float luminance = datum_of(s, samples, bias, x, y, 0).value;
    if (channel >= 3)
        value = own;
    else if (isfinite(luminance) && luminance > 0)
        value *= (own < 0 ? 0 : own) / luminance;
#endif
    store_result(result_row_of(s, result, samples, restore, restore, mask, y, channel), x, value);
}
