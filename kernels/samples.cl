// Samples as files have them: u8, u16, half or float.
//
// Needs:  complex.cl; IN_TYPE, OUT_TYPE   TYPE_... below
//         DECODE_SRGB, ENCODE_SRGB (default 0)   1: samples are sRGB codes, made linear when they are loaded; results
//                                                become codes when they are stored
// Gives:  in_sample, out_sample, the types of what pointers point to; load_sample, store_sample.
// Integers stand for [0, 1]. Stores round to nearest even and clamp.

#define TYPE_U8 0
#define TYPE_U16 1
#define TYPE_HALF 2
#define TYPE_FLOAT 3

#ifndef DECODE_SRGB
#define DECODE_SRGB 0
#endif
#ifndef ENCODE_SRGB
#define ENCODE_SRGB 0
#endif

// IEC 61966-2-1, as src/base/light.h. Quotients of integers: a device without doubles has no literals of them.
#define MILLIONTHS(n) ((scalar)(n) / 1000000)
INLINE scalar decoded(scalar code)
{
    if (!DECODE_SRGB || code <= MILLIONTHS(40450)) return DECODE_SRGB ? code / MILLIONTHS(12920000) : code;
    return powr((code + MILLIONTHS(55000)) / MILLIONTHS(1055000), MILLIONTHS(2400000));
}
INLINE scalar encoded(scalar light)
{
    if (!ENCODE_SRGB || light <= (scalar)31308 / 10000000) return ENCODE_SRGB ? light * MILLIONTHS(12920000) : light;
    return MILLIONTHS(1055000) * powr(light, 1 / MILLIONTHS(2400000)) - MILLIONTHS(55000);
}

#if IN_TYPE == TYPE_U8
typedef uchar in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return decoded(*p * ((scalar)1 / 255)); }
#elif IN_TYPE == TYPE_U16
typedef ushort in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return decoded(*p * ((scalar)1 / 65535)); }
#elif IN_TYPE == TYPE_HALF
typedef half in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return decoded(vload_half(0, p)); }
#else
typedef float in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return decoded(*p); }
#endif

#if OUT_TYPE == TYPE_U8
typedef uchar out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_uchar_sat_rte(encoded(value) * 255); }
#elif OUT_TYPE == TYPE_U16
typedef ushort out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_ushort_sat_rte(encoded(value) * 65535); }
#elif OUT_TYPE == TYPE_HALF
typedef half out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { vstore_half_rte(encoded(value), 0, p); }
#else
typedef float out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = encoded(value); }
#endif
