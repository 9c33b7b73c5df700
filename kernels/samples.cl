// SPDX-License-Identifier: Apache-2.0
// Samples as files have them: u8, u16, half, float, or double with PRECISION_DOUBLE.
//
// Needs:  IN_TYPE, OUT_TYPE (default u8)         TYPE_... below
//         DECODE_SRGB, ENCODE_SRGB (default 0)   1: samples are sRGB codes, made linear when they are loaded; results
//                                                become codes when they are stored
//         SRGB_LIGHTS            u8 with DECODE_SRGB, for CPUs: the light of every code; a table is faster than arithmetic
//         SRGB_CODES             u8 with ENCODE_SRGB, for CPUs: the code of every light, see codes_of()
// Gives:  in_sample, out_sample, the types of samples in memory; load_raw, load_code (both as it is stored), store_sample.
// Integers stand for [0, 1]. Stores round to nearest even and clamp.

#pragma once

#include "complex.cl"
#include "nvidia.cl"

#define TYPE_U8 0
#define TYPE_U16 1
#define TYPE_HALF 2
#define TYPE_FLOAT 3
#define TYPE_DOUBLE 4

#ifndef IN_TYPE  // a program that only stores
#define IN_TYPE TYPE_U8
#endif
#ifndef OUT_TYPE  // one that only loads
#define OUT_TYPE TYPE_U8
#endif
#ifndef DECODE_SRGB
#define DECODE_SRGB 0
#endif
#ifndef ENCODE_SRGB
#define ENCODE_SRGB 0
#endif

// IEC 61966-2-1, as src/base/light.h; x^2.4 as x^2 x^0.4, which loses less in the logarithm, and both as exp2(log2()), for
// which compilers of CPUs have vectors. Constants are quotients of integers, because a device without doubles has no
// literals of them. For one sample, and for vectors of samples. A code is what load_code() gives.
#define MILLIONTHS(n) ((scalar)(n) / 1000000)

// NVIDIA's native functions have an error of 2^-22, which is far below a code of 16 bits or a half. With them, a pass that
// encodes takes a sixth less time. A float keeps the others.
#if ON_NVIDIA && PRECISION != PRECISION_DOUBLE && IN_TYPE != TYPE_FLOAT && IN_TYPE != TYPE_DOUBLE
#define DECODING_EXP2 native_exp2
#define DECODING_LOG2 native_log2
#else
#define DECODING_EXP2 exp2
#define DECODING_LOG2 log2
#endif
#if ON_NVIDIA && PRECISION != PRECISION_DOUBLE && OUT_TYPE != TYPE_FLOAT && OUT_TYPE != TYPE_DOUBLE
#define ENCODING_EXP2 native_exp2
#define ENCODING_LOG2 native_log2
#else
#define ENCODING_EXP2 exp2
#define ENCODING_LOG2 log2
#endif

// The power of decoding, for codes above 0.04045. 16 bits have a polynomial that is 0.04 codes off at most (bench/fit-srgb,
// docs/decisions/040-srgb-of-16-bits.md).
#if IN_TYPE == TYPE_U16 && PRECISION != PRECISION_DOUBLE
#define DECODING_POWER(type)                                                                                        \
    INLINE type decoding_power_##type(type code)                                                                    \
    {                                                                                                               \
        type power = (type)(0.195002839f);                                                                          \
        power = fma(power, code, (type)(-0.963032126f));                                                            \
        power = fma(power, code, (type)(2.06455684f));                                                              \
        power = fma(power, code, (type)(-2.55489135f));                                                             \
        power = fma(power, code, (type)(2.08491254f));                                                              \
        power = fma(power, code, (type)(-1.29501045f));                                                             \
        power = fma(power, code, (type)(0.957981229f));                                                             \
        power = fma(power, code, (type)(0.473642677f));                                                             \
        power = fma(power, code, (type)(0.0359995738f));                                                            \
        power = fma(power, code, (type)(0.000839540327f));                                                          \
        return power;                                                                                               \
    }
#else
#define DECODING_POWER(type)                                                                                        \
    INLINE type decoding_power_##type(type code)                                                                    \
    {                                                                                                               \
        const type base = (code + MILLIONTHS(55000)) / MILLIONTHS(1055000);                                         \
        return base * base * DECODING_EXP2(DECODING_LOG2(base) * MILLIONTHS(400000));                               \
    }
#endif

// Both forms are computed before one is chosen, because a branch a sample keeps a GPU from working on several at once.
#define DECODING(type)                                                                                              \
    DECODING_POWER(type)                                                                                            \
    INLINE type decoded_##type(type code)                                                                           \
    {                                                                                                               \
        if (!DECODE_SRGB) return code;                                                                              \
        const type low = code / MILLIONTHS(12920000);                                                               \
        const type high = decoding_power_##type(code);                                                              \
        return code <= MILLIONTHS(40450) ? low : high;                                                              \
    }

// The power of encoding, for light above 0.0031308. 16 bits have a polynomial of the light's fourth root, from the same script.
// It is valid up to a light of 1.46, and brighter light counts as 1.46. (NVIDIA's native functions take no longer.)
#if OUT_TYPE == TYPE_U16 && PRECISION != PRECISION_DOUBLE && !ON_NVIDIA
#define ENCODING_POWER(type)                                                                                        \
    INLINE type encoding_power_##type(type light)                                                                   \
    {                                                                                                               \
        type root = sqrt(sqrt(light));                                                                              \
        root = root > (type)(1.1f) ? (type)(1.1f) : root;                                                           \
        type power = (type)(-0.0762032941f);                                                                        \
        power = fma(power, root, (type)(0.394683391f));                                                             \
        power = fma(power, root, (type)(-0.898359954f));                                                            \
        power = fma(power, root, (type)(1.20909989f));                                                              \
        power = fma(power, root, (type)(-1.15586805f));                                                             \
        power = fma(power, root, (type)(1.46151698f));                                                              \
        power = fma(power, root, (type)(0.123577364f));                                                             \
        power = fma(power, root, (type)(-0.0584466904f));                                                           \
        return power;                                                                                               \
    }
#else
#define ENCODING_POWER(type)                                                                                        \
    INLINE type encoding_power_##type(type light)                                                                   \
    {                                                                                                               \
        const type root = ENCODING_EXP2(ENCODING_LOG2(light) * ((scalar)5 / 12));                                   \
        return root * MILLIONTHS(1055000) - MILLIONTHS(55000);                                                      \
    }
#endif
#define ENCODING(type)                                                                                              \
    ENCODING_POWER(type)                                                                                            \
    INLINE type encoded_##type(type light)                                                                          \
    {                                                                                                               \
        if (!ENCODE_SRGB) return light;                                                                             \
        const type low = light * MILLIONTHS(12920000);                                                              \
        const type high = encoding_power_##type(light);                                                             \
        return light <= (scalar)31308 / 10000000 ? low : high;                                                      \
    }
ENCODING(scalar)
ENCODING(scalar8)
#ifdef SRGB_LIGHTS
#define CODE_OF_WHITE 1
__constant scalar lights[256] = {SRGB_LIGHTS};
INLINE scalar decoded_scalar(scalar code) { return lights[(int)code]; }
INLINE scalar8 decoded_scalar8(scalar8 code)
{
    const int8 at = convert_int8(code);
    return (scalar8)(lights[at.s0], lights[at.s1], lights[at.s2], lights[at.s3], lights[at.s4], lights[at.s5],
                    lights[at.s6], lights[at.s7]);
}
#else
#define CODE_OF_WHITE 255
DECODING(scalar)
DECODING(scalar8)
#endif

#ifdef SRGB_CODES
// From 2^-13, which is black, to white there are thirteen octaves of 128 parts; within one the code changes once at most.
// Entry: the code at its beginning << 17 | the last sixteen bits of the smallest float of the next code, or 65536. So codes
// are those of the exact curve, rounded to nearest.
__constant uint codes[13 * 128] = {SRGB_CODES};
INLINE uchar8 codes_of(float8 light)
{
    const uint8 bits = as_uint8(fmin(fmax(light, (float8)(0x1p-13f)), (float8)(0x1.fffffep-1f)));
    const uint8 at = (bits >> 16) - (uint)((127 - 13) * 128);
    const uint8 entry = (uint8)(codes[at.s0], codes[at.s1], codes[at.s2], codes[at.s3], codes[at.s4], codes[at.s5],
                                codes[at.s6], codes[at.s7]);
    return convert_uchar8((entry >> 17) - as_uint8((bits & 0xffff) >= (entry & 0x1ffff)));
}
#endif

// `raw`: a sample as it is stored, in a type that arithmetic has.
#if IN_TYPE == TYPE_U8
typedef uchar in_sample;
typedef int raw;
INLINE raw load_raw(__global const in_sample *p) { return *p; }
INLINE scalar code_of(raw sample) { return sample * ((scalar)1 / CODE_OF_WHITE); }
#elif IN_TYPE == TYPE_U16
typedef ushort in_sample;
typedef int raw;
INLINE raw load_raw(__global const in_sample *p) { return *p; }
INLINE scalar code_of(raw sample) { return sample * ((scalar)1 / 65535); }
#elif IN_TYPE == TYPE_HALF
typedef half in_sample;
typedef scalar raw;
INLINE raw load_raw(__global const in_sample *p) { return vload_half(0, p); }
INLINE scalar code_of(raw sample) { return sample; }
#elif IN_TYPE == TYPE_DOUBLE
typedef double in_sample;
typedef scalar raw;
INLINE raw load_raw(__global const in_sample *p) { return *p; }
INLINE scalar code_of(raw sample) { return sample; }
#else
typedef float in_sample;
typedef scalar raw;
INLINE raw load_raw(__global const in_sample *p) { return *p; }
INLINE scalar code_of(raw sample) { return sample; }
#endif
INLINE scalar load_code(__global const in_sample *p) { return code_of(load_raw(p)); }

#if OUT_TYPE == TYPE_U8
typedef uchar out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_uchar_sat_rte(encoded_scalar(value) * 255); }
#elif OUT_TYPE == TYPE_U16
typedef ushort out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = convert_ushort_sat_rte(encoded_scalar(value) * 65535); }
#elif OUT_TYPE == TYPE_HALF
typedef half out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { vstore_half_rte(encoded_scalar(value), 0, p); }
#elif OUT_TYPE == TYPE_DOUBLE
typedef double out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = encoded_scalar(value); }
#else
typedef float out_sample;
INLINE void store_sample(__global out_sample *p, scalar value) { *p = encoded_scalar(value); }
#endif
