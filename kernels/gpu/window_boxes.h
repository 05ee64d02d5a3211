/* What the targets of a block share: for each row of the list one box around all that the first
 * source has in the stretches (extents.h) that any of them may reach. It is read from shared
 * memory; read by each target from its own stretches it was slower: lanes waited for the loads. */
#ifndef SLUICE_KERNELS_GPU_WINDOW_BOXES_H
#define SLUICE_KERNELS_GPU_WINDOW_BOXES_H
#include "kernels/gpu/window_space.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Where the block's targets are in the table of bins. */
struct block_span {
    uint32_t first, last; /* entries; first > last: nowhere */
    uint32_t least, most; /* strides */
};

enum { STRETCHES_MOST = 8 }; /* of a block's row; where there are more, rows' edges serve */

/* By one thread, then a barrier. */
static __device__ __forceinline__ void span_open(struct block_span *span)
{
    const struct block_span none = {UINT32_MAX, 0, UINT32_MAX, 0};
    *span = none;
}

/* By each thread with a target that looks into the source, then a barrier. */
static __device__ __forceinline__ void span_add(const struct window_space &space,
                                                const struct window_source &s,
                                                const struct window_target &i,
                                                struct block_span *span)
{
    const struct window_home home = home_of(space, i, look_up(space, s, i, 9 + 3, 0));
    if (home.aside)
        return; /* such targets do not ask for boxes */
    atomicMin(&span->first, home.own + home.at);
    atomicMax(&span->last, home.own + home.at);
    /* 0: the entry of a row of the frame beside may lie before the table; rows' edges serve. */
    atomicMin(&span->least, i.row & space.beyond ? 0 : home.stride);
    atomicMax(&span->most, home.stride);
}

/* By all threads, then a barrier: a box for each row of the list, and for that behind it. */
static __device__ __forceinline__ void
boxes_of(const struct window_space &space, const struct window_source &s,
         const struct window_row *rows, const struct block_span &span, struct row_extent *box)
{
    const int one = span.least == span.most && span.first <= span.last;
    for (int r = (int)threadIdx.x; r <= space.rows; r += (int)blockDim.x) {
        const uint32_t away = rows[r].offset * span.most,
                       first = (span.first + away) >> EXTENT_BITS,
                       last = (span.last + away) >> EXTENT_BITS;
        struct row_extent all = edges_of(space);
        if (one && last < s.stretches && last - first < STRETCHES_MOST) {
            all = s.extent[first];
            for (uint32_t k = first + 1; k <= last; k++)
                all = around(all, s.extent[k]);
        }
        box[r] = all;
    }
}

} // namespace GPU_PRECISION
} // namespace SLUICE_GPU
#endif
