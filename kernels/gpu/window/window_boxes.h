/* Shared by the targets of a block: for each row of the list one box around all particles of the
 * first source in the stretches (row_extents.h) that any target may reach, and the rows that any
 * target reaches at all. The boxes are read from shared memory. Reading them for each target from
 * its own stretches was slower: lanes waited for the loads. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_WINDOW_BOXES_H
#define SLUICE_KERNELS_GPU_WINDOW_WINDOW_BOXES_H
#include "kernels/gpu/window/window_space.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The range of the block's targets that search the first source. */
struct block_span {
    uint32_t first, last;         /* entries in the table of bins; first > last: no target */
    uint32_t least, most;         /* strides */
    uint32_t row_least, row_most; /* row_code */
    uint32_t y_least, y_most;     /* in_ticks, from the rows' middles */
    uint32_t z_least, z_most;
    uint32_t reached[2]; /* bit k: a target may reach particles in far row k (63 rows at most) */
};

/* Whether any target searches the first source. */
static __device__ __forceinline__ int looks(const struct block_span &span)
{
    return span.first <= span.last || span.reached[0];
}

/* y or z from a row's middle as an integer for atomic operations: in ticks of a millionth of a
 * row's width, counted from two rows below. */
enum { TICKS = 1 << 20 };

static __device__ __forceinline__ uint32_t in_ticks(const struct window_space &space, int c, real y)
{
    return (uint32_t)(int)((y * space.axis[c].per_length + 2) * (real)TICKS);
}
static __device__ __forceinline__ real of_ticks(const struct window_space &space, int c, uint32_t n)
{
    return ((real)n / (real)TICKS - 2) * space.row_width[c];
}

enum {
    STRETCHES_MOST = 8
}; /* stretches of a block in a row; with more, the row's edges are used */

/* One thread calls it; a barrier follows. */
static __device__ __forceinline__ void span_open(struct block_span *span)
{
    const struct block_span none = {UINT32_MAX, 0, UINT32_MAX, 0, UINT32_MAX, 0,
                                    UINT32_MAX, 0, UINT32_MAX, 0, {0, 0}};
    *span = none;
}

/* Adds a target. Each thread with a target that searches the source calls it; a barrier follows.
 * With listed = 1 a list of the reached rows is made later. */
template <int listed>
static __device__ __forceinline__ void
span_add(const struct window_space &space, const struct window_source &s,
         const struct window_target &i, struct block_span *span)
{
    const struct window_home home = home_of(space, i, look_up(space, s, i, 9 + 3, 0));
    if (home.aside) { /* such targets use no boxes */
        atomicOr(&span->reached[0], UINT32_MAX);
        atomicOr(&span->reached[1], UINT32_MAX);
        return;
    }
    atomicMin(&span->first, home.own + home.at);
    atomicMax(&span->last, home.own + home.at);
    /* 0: a row of the neighbour frame may lie before the table; edges are used. */
    atomicMin(&span->least, i.row & space.beyond ? 0 : home.stride);
    atomicMax(&span->most, home.stride);
    if (!listed)
        return;
    atomicMin(&span->row_least, i.row);
    atomicMax(&span->row_most, i.row);
    atomicMin(&span->y_least, in_ticks(space, 1, i.at.y) - 1);
    atomicMax(&span->y_most, in_ticks(space, 1, i.at.y) + 1);
    atomicMin(&span->z_least, in_ticks(space, 2, i.at.z) - 1);
    atomicMax(&span->z_most, in_ticks(space, 2, i.at.z) + 1);
}

/* The gap in y or z between a box, in the row whose middle is `away`, and the targets, which stand
 * from low to high from the middles of their rows. */
static __device__ __forceinline__ real gap_to(real low, real high, real away, real middle,
                                              real half)
{
    return real_max(real_max(low - away - (middle + half), middle - half - (high - away)), 0);
}

/* Whether a target may reach the box in this row. 1 if the row lies in another frame for any of
 * them, since boxes belong to the own frame. (If a target has drifted out of its frame's rows, all
 * boxes are edges: span_add.) */
static __device__ __forceinline__ int is_reached(const struct window_space &space,
                                                 const struct block_span &span,
                                                 const struct window_row &row,
                                                 const struct row_extent &box)
{
    const uint32_t aside = (span.row_least + row.code) | (span.row_most + row.code);
    if (aside & space.beyond || span.row_least >> ROW_BITS != span.row_most >> ROW_BITS)
        return 1;
    const real y = gap_to(of_ticks(space, 1, span.y_least), of_ticks(space, 1, span.y_most), row.y,
                          box.y, box.half_y),
               z = gap_to(of_ticks(space, 2, span.z_least), of_ticks(space, 2, span.z_most), row.z,
                          box.z, box.half_z);
    return y * y + z * z < space.reach2;
}

/* Makes a box for each row, and for the one behind them; with listed = 1 also span.reached. All
 * threads call it; a barrier follows. */
template <int listed>
static __device__ __forceinline__ void boxes_of(const struct window_space &space,
                                                const struct window_source &s,
                                                const struct window_row *rows, int near_rows,
                                                struct block_span &span, struct row_extent *box)
{
    const int one = span.least == span.most && span.first <= span.last;
    for (int r = (int)threadIdx.x; r <= space.rows; r += (int)blockDim.x) {
        const uint32_t away = rows[r].offset * span.most,
                       first = (span.first + away) >> GPU_EXTENT_BITS,
                       last = (span.last + away) >> GPU_EXTENT_BITS;
        struct row_extent all = edges_of(space);
        if (one && last < s.stretches && last - first < STRETCHES_MOST) {
            all = s.extent[first];
            for (uint32_t k = first + 1; k <= last; k++)
                all = around(all, s.extent[k]);
        }
        box[r] = all;
        const uint32_t far = (uint32_t)(r - near_rows);
        if (listed && r >= near_rows && r < space.rows && is_reached(space, span, rows[r], all))
            atomicOr(&span.reached[far / 32], 1u << far % 32);
    }
}

/* The list of rows that the block's targets search: the near ones, the far ones that any of them
 * reaches, and the one that is out of reach. All threads call open_rows, then a barrier; and
 * fill_rows when span.reached is known, then a barrier. list: [rows + 1] */
static __device__ __forceinline__ void open_rows(const struct window_space &space, int near_rows,
                                                 uint32_t *list)
{
    for (int k = (int)threadIdx.x; k <= space.rows; k += (int)blockDim.x)
        list[k] = (uint32_t)(k < near_rows ? k : space.rows);
}
static __device__ __forceinline__ void fill_rows(const struct window_space &space, int near_rows,
                                                 const struct block_span &span, uint32_t *list)
{
    for (int k = (int)threadIdx.x; k < space.rows - near_rows; k += (int)blockDim.x) {
        const uint32_t word = span.reached[k / 32], bit = 1u << k % 32;
        if (word & bit)
            list[near_rows + (k < 32 ? 0 : __popc(span.reached[0])) + __popc(word & (bit - 1))] =
                (uint32_t)(near_rows + k);
    }
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
