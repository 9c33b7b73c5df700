// Samples as files have them: u8, u16, half or float.
//
// Needs:  complex.cl; IN_TYPE, OUT_TYPE   TYPE_... below
// Gives:  in_sample, out_sample, the types of what pointers point to; load_sample, store_sample.
// Integers stand for [0, 1]. Stores round to nearest even and clamp.

#define TYPE_U8 0
#define TYPE_U16 1
#define TYPE_HALF 2
#define TYPE_FLOAT 3

#if IN_TYPE == TYPE_U8
typedef uchar in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return *p * ((scalar)1 / 255); }
#elif IN_TYPE == TYPE_U16
typedef ushort in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return *p * ((scalar)1 / 65535); }
#elif IN_TYPE == TYPE_HALF
typedef half in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return vload_half(0, p); }
#else
typedef float in_sample;
INLINE scalar load_sample(__global const in_sample *p) { return *p; }
#endif

#if OUT_TYPE == TYPE_U8
typedef uchar out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_uchar_sat_rte(value * 255); }
#elif OUT_TYPE == TYPE_U16
typedef ushort out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_ushort_sat_rte(value * 65535); }
#elif OUT_TYPE == TYPE_HALF
typedef half out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { vstore_half_rte(value, 0, p); }
#else
typedef float out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = value; }
#endif
