// SPDX-License-Identifier: Apache-2.0
// Tables by code (image.cl) in local memory, for row passes. A load from there takes a GPU less time than one from its cache.
//
// Needs:  TABLES_ARE_LOCAL 1 before image.cl is included; results.cl's defines
// Gives:  LOCAL_TABLES_OF(name, count)   defines local memory for `count` tables. Only at the begin of a kernel
//         copy_tables, with_tables, row_with_tables
// Barriers: copy_tables is called by the whole work-group, and a barrier must follow before the first load from the copy.
// Without local tables (LOCAL_TABLES 0) all of them do nothing.
#pragma once

#include "image.cl"
#include "results.cl"

/// How many tables a blend reads: of light, and of bright shares.
#define BLEND_TABLES (DECODE_SRGB + LEAVES)

#if LOCAL_TABLES
#define LOCAL_TABLES_OF(name, count) __local scalar name[(count) > 0 ? (count)*TABLE_NUMBERS : 1];

/// Copies the first `count` of an image's tables, of which light is the first. `last`: which of the image's tables takes the
/// place of the last copied one.
INLINE void copy_tables(__local scalar *tables, __global const scalar *highlights, int count, int last)
{
    for (int i = get_local_id(0); i < count * TABLE_NUMBERS; i += (int)get_local_size(0))
        tables[i] = TABLES_BEHIND(
            highlights)[i < (count - 1) * TABLE_NUMBERS ? i : i + (last - count + 1) * TABLE_NUMBERS];
}
INLINE level with_tables(level from, code_tables tables)
{
    from.tables = tables;
    return from;
}
#if BLEND
INLINE result_row row_with_tables(result_row from, code_tables tables)
{
    from.level.tables = tables;
    return from;
}
#else
#define row_with_tables(from, tables) (from)
#endif
#else
#define LOCAL_TABLES_OF(name, count)
#define copy_tables(tables, highlights, count, last)
#define with_tables(from, tables) (from)
#define row_with_tables(from, tables) (from)
#endif
