/* The frames of the sources around a frame of targets, as the targets see them, and boxes of
 * particles.
 *
 * Sources in order, frames by their relative (z, y, x): the order of a particle's sum. An image is
 * a frame seen with a shift. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_NEAR_FRAMES_H
#define SLUICE_KERNELS_CPU_LOOPS_NEAR_FRAMES_H
#include <string.h>

#include "kernels/cpu/loops/cluster.h"
#include "kernels/cpu/loops/lane_load.h"
#include "kernels/cpu/loops/wall_images.h"
#include "kernels/types/reach.h"

/* Frames near a frame, of two sources, or of one with the images behind walls. */
enum { NEAR_MOST = 27 * 27 };

/* A box of particles of a frame, as offsets. */
struct frame_box {
    real low[3], high[3];
    real support; /* the largest one of the particles, where it matters to targets; else 0 */
};

/* A frame of a source near the targets' frame, as targets see it, or their images behind walls. */
struct near_frame {
    int source, slot, same;
    unsigned mirror; /* the axes of these walls, as bits */
    real shift[3];   /* to add to x_i - x_j */
};

/* --- Boxes */

/* The box of a cluster's particles. */
HD void cluster_box(const struct cpu_cluster *cluster, struct frame_box *box, const int dim)
{
    for (int c = 0; c < dim; c++) {
        box->low[c] = box->high[c] = cluster->x[c][0];
        for (int l = 1; l < LANES; l++) {
            box->low[c] = real_min(box->low[c], cluster->x[c][l]);
            box->high[c] = real_max(box->high[c], cluster->x[c][l]);
        }
    }
}

/* A box of targets in the coordinates of a near frame. */
HD struct frame_box box_seen(const struct frame_box *a, const struct near_frame *f, const int dim)
{
    struct frame_box seen = {.support = 0};
    for (int c = 0; c < dim; c++) {
        const int turned = f->mirror >> c & 1;
        seen.low[c] = (turned ? -a->high[c] : a->low[c]) + f->shift[c];
        seen.high[c] = (turned ? -a->low[c] : a->high[c]) + f->shift[c];
    }
    return seen;
}

/* The square distance of two boxes, less the slack. */
HD real box_distance2(const struct frame_box *a, const struct frame_box *b, real slack,
                      const int dim)
{
    real r2 = 0;
    for (int c = 0; c < dim; c++) {
        const real above = b->low[c] - a->high[c], below = a->low[c] - b->high[c];
        const real apart = real_max(real_max(above, below) - slack, 0);
        r2 += apart * apart;
    }
    return r2;
}

/* Bit l: box l of LANES boxes, or particle l, which is a box of no size, is within reach of a box,
 * or within its own reach. reach2: the square; own2: NULL, or squares of their own. */
HD unsigned boxes_within(const real *const low[3], const real *const high[3], const real *own2,
                         int64_t first, const struct frame_box *box, real reach2, const int dim)
{
    lane r2 = lane_of(0), within = lane_of(reach2);
    for (int c = 0; c < dim; c++) {
        lane from, to;
        memcpy(&from, low[c] + first, sizeof from);
        memcpy(&to, high[c] + first, sizeof to);
        const lane out = lane_max(lane_max(box->low[c] - to, from - box->high[c]), lane_of(0));
        r2 += out * out;
    }
    if (own2) {
        lane own;
        memcpy(&own, own2 + first, sizeof own);
        within = lane_max(within, own);
    }
    return lane_bits(r2 < within);
}

/* --- Frames */

/* Adds the last of `count` near frames as the images of targets of frame `slot` see it. A particle
 * that an image reaches is within reach of the target itself, so these frames suffice. Returns how
 * many there are then. */
static inline int add_images(const struct sluice_grid *g, int slot, struct near_frame *near,
                             int count)
{
    const struct near_frame seen = near[count - 1];
    struct wall_images images;
    wall_images_begin(&images, g);
    while (wall_images_next(&images) && count < NEAR_MOST) {
        struct near_frame *f = &near[count++];
        *f = seen;
        f->same = 0;
        f->mirror = images.axes;
        wall_images_shift(&images, slot, seen.slot, f->shift);
    }
    return count;
}

/* Finds the frames with particles around a frame. Returns how many there are, at most NEAR_MOST. */
static inline int find_near_frames(const struct cpu_call *call, const struct sluice_grid *g,
                                   int slot, struct near_frame *near)
{
    int count = 0;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++)
        for (int k = 0; k < 27 && call->source_bins[source]; k++) {
            const int32_t other = g->neighbour[slot][k];
            const int relative[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            if (other < 0 || call->source_bins[source]->frame[other].count == 0)
                continue;
            struct near_frame *f = &near[count++];
            f->source = source;
            f->slot = other;
            f->mirror = 0;
            f->same = call->same[source] && k == 13;
            for (int c = 0; c < 3; c++)
                f->shift[c] = c < call->dim ? (real)(-relative[c] * g->width[c]) : 0;
            if (g->walls && call->ops->mirror)
                count = add_images(g, slot, near, count);
        }
    return count;
}

/* The list is to hold particles of this frame. */
HD void list_begin(struct cpu_list *list, const struct near_frame *f)
{
    list->source = f->source;
    list->same = f->same;
    list->mirror = f->mirror;
    memcpy(list->shift, f->shift, sizeof f->shift);
}
#endif
