// Samples as files have them: u8, u16, half or float, interleaved.
//
// `type` is always a constant where these are called, so that one branch is left.
// Integers stand for [0, 1]. Stores round to nearest even and clamp.

#define TYPE_U8 0
#define TYPE_U16 1
#define TYPE_HALF 2
#define TYPE_FLOAT 3

INLINE float load_sample(__global const void *samples, size_t index, int type)
{
    if (type == TYPE_U8) return ((__global const uchar *)samples)[index] * (1.0f / 255);
    if (type == TYPE_U16) return ((__global const ushort *)samples)[index] * (1.0f / 65535);
    if (type == TYPE_HALF) return vload_half(index, (__global const half *)samples);
    return ((__global const float *)samples)[index];
}

INLINE void store_sample(__global void *samples, size_t index, int type, float value)
{
    if (type == TYPE_U8)
        ((__global uchar *)samples)[index] = convert_uchar_sat_rte(value * 255);
    else if (type == TYPE_U16)
        ((__global ushort *)samples)[index] = convert_ushort_sat_rte(value * 65535);
    else if (type == TYPE_HALF)
        vstore_half_rte(value, index, (__global half *)samples);
    else
        ((__global float *)samples)[index] = value;
}
