/* The search of the window strategy: which particles of the sources may lie within the cutoff of a
 * cluster.
 *
 *   window       of a source's row, at distance (dy, dz) from the cluster's box: x within
 *                sqrt(rc^2 - dy^2 - dz^2) of the box
 *   list         what of the windows lies within the cutoff of the box; flushed whenever full,
 *                so that no crowd is too large
 *
 * Sources in order, frames by their relative (z, y, x), rows z then y, x ascending: the order of a
 * particle's sum. An image is a frame seen with a shift. The windows of as many rows as there are
 * lanes are found at once. */
#ifndef SLUICE_KERNELS_CPU_WINDOW_SEARCH_H
#define SLUICE_KERNELS_CPU_WINDOW_SEARCH_H
#include <string.h>

#include "kernels/cpu/bin_index.h"
#include "kernels/cpu/cluster.h"
#include "kernels/cpu/lane_load.h"

/* Where in a frame a source's particles really are, as offsets. */
struct frame_box {
    real low[3], high[3];
};

/* A frame of a source near the item's frame. */
struct near_frame {
    int source, same;
    const struct cpu_frame_bins *frame;
    const uint32_t *start; /* of the frame's first bin */
    const real *position;
    struct bin_axis axis[3];
    real bin_width[3];
    real shift[3]; /* to add to x_i - x_j */
    struct frame_box box;
};

/* One thread's state. */
struct search {
    const struct cpu_call *call;
    const struct frame_box *box[SLUICE_PASS_SOURCES]; /* [slot] */
    struct cpu_cluster cluster;
    struct cpu_list list;
    real low[3], high[3]; /* box of the cluster's particles */
    real reach, slack;    /* the cutoff and what rounding of positions can hide */
    struct near_frame near[SLUICE_PASS_SOURCES * 27];
    int near_count;
};

/* --- What lies around a frame */

/* What is not a number is in no box. */
static inline struct frame_box box_of(const real *position, int64_t count, const int dim)
{
    struct frame_box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < dim; c++) {
            const real x = position[(dim + 1) * i + c];
            b.low[c] = x < b.low[c] ? x : b.low[c];
            b.high[c] = x > b.high[c] ? x : b.high[c];
        }
    return b;
}

static inline void find_near(struct search *s, const struct sluice_grid *g, int slot)
{
    const struct cpu_call *call = s->call;
    s->near_count = 0;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++)
        for (int k = 0; k < 27 && call->source_bins[source]; k++) {
            const int32_t other = g->neighbour[slot][k];
            const int relative[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            if (other < 0 || call->source_bins[source]->frame[other].count == 0)
                continue;
            struct near_frame *f = &s->near[s->near_count++];
            f->source = source;
            f->same = call->same[source] && k == 13;
            f->frame = &call->source_bins[source]->frame[other];
            f->start = call->source_bins[source]->start + f->frame->first_bin;
            f->position = call->source[source].field[SLUICE_FIELD_POSITION];
            f->box = s->box[source][other];
            for (int c = 0; c < 3; c++) {
                f->axis[c] = bin_axis_of(g->width[c], f->frame->log2[c]);
                f->bin_width[c] = (real)(g->width[c] / (1 << f->frame->log2[c]));
                f->shift[c] = c < call->dim ? (real)(-relative[c] * g->width[c]) : 0;
            }
        }
}

/* --- Candidates */

/* How far x lies outside [low, high]. */
HD lane beyond(real low, real high, lane x)
{
    return lane_max(lane_max(low - x, x - high), lane_of(0));
}

/* Appends those of the particles [first, last) that lie within reach of the box (given in the
 * source's coordinates). */
HD void append(struct search *s, const struct near_frame *f, const real low[3], const real high[3],
               uint32_t first, uint32_t last, const int dim)
{
    struct cpu_list *list = &s->list;
    const real reach2 = s->reach * s->reach;
    int count = list->count;
    for (uint32_t j = first; j < last; j += LANES) {
        lane x[3] = {{0}};
        lane_load(x, f->position + (int64_t)(dim + 1) * j, dim);
        const lane dx = beyond(low[0], high[0], x[0]), dy = beyond(low[1], high[1], x[1]);
        lane r2 = dx * dx + dy * dy;
        if (dim == 3) {
            const lane dz = beyond(low[2], high[2], x[2]);
            r2 += dz * dz;
        }
        const unsigned valid = last - j < LANES ? (1u << (last - j)) - 1 : (1u << LANES) - 1;
        count += lane_append(list->index + count, j, lane_bits(r2 < reach2) & valid);
        if (count > LIST_MOST - LANES) {
            list->count = count;
            LEAF(list_flush)(s->call, &s->cluster, list);
            count = 0;
        }
    }
    list->count = count;
}

/* The bins of as many offsets as there are lanes: bin_index. */
HD lane_mask bin_indices(const struct bin_axis *a, lane x)
{
    const lane t = (x + a->half) * a->per_length;
    return __builtin_convertvector(lane_min(lane_max(t, lane_of(0)), lane_of(a->last)), lane_mask);
}

/* The windows of rows first .. last of one z, whose square distance leaves `reach2` for y and x. */
HD void search_rows(struct search *s, const struct near_frame *f, const struct frame_box *box,
                    const int rows[2], int z, real reach2, const int dim)
{
    lane number;
    for (int l = 0; l < LANES; l++)
        number[l] = (real)l;
    for (int y = rows[0]; y <= rows[1]; y += LANES) {
        const lane y_low = ((real)y + number) * f->bin_width[1] - f->axis[1].half;
        const lane apart = lane_max(y_low - box->high[1], (box->low[1] - f->bin_width[1]) - y_low) -
                           s->slack;
        const lane dy = lane_max(apart, lane_of(0)), r2 = reach2 - dy * dy;
        const lane r = lane_sqrt(lane_max(r2, lane_of(0))) + s->slack;
        const lane_mask from = bin_indices(&f->axis[0], box->low[0] - r),
                        to = bin_indices(&f->axis[0], box->high[0] + r);
        unsigned bits = lane_bits((r2 > 0) & (number <= (real)(rows[1] - y)));
        for (; bits; bits &= bits - 1) {
            const int l = __builtin_ctz(bits);
            const uint32_t *row = f->start + ((int64_t)(z << f->frame->log2[1] | (y + l))
                                              << f->frame->log2[0]);
            append(s, f, box->low, box->high, row[from[l]], row[to[l] + 1], dim);
        }
    }
}

/* The candidates of one frame, summed. */
HD void search_frame(struct search *s, const struct near_frame *f, const int dim)
{
    const real reach = s->reach, slack = s->slack;
    struct frame_box box; /* of the cluster, in the source's coordinates */
    int rows[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    real apart2 = 0;
    for (int c = 0; c < dim; c++) {
        box.low[c] = s->low[c] + f->shift[c];
        box.high[c] = s->high[c] + f->shift[c];
        const real apart = real_max(
            real_max(f->box.low[c] - box.high[c], box.low[c] - f->box.high[c]) - slack, 0);
        apart2 += apart * apart;
        rows[c][0] = bin_index(&f->axis[c], real_max(box.low[c] - reach, f->box.low[c]));
        rows[c][1] = bin_index(&f->axis[c], real_min(box.high[c] + reach, f->box.high[c]));
    }
    if (apart2 >= reach * reach)
        return;
    s->list.source = f->source;
    s->list.same = f->same;
    memcpy(s->list.shift, f->shift, sizeof f->shift);
    for (int z = rows[2][0]; z <= rows[2][1]; z++) {
        const real z_low = (real)z * f->bin_width[2] - f->axis[2].half;
        const real apart = real_max(z_low - box.high[2], box.low[2] - z_low - f->bin_width[2]) -
                           slack;
        const real dz = dim == 3 ? real_max(apart, 0) : 0;
        if (dz < reach)
            search_rows(s, f, &box, rows[1], z, reach * reach - dz * dz, dim);
    }
    LEAF(list_flush)(s->call, &s->cluster, &s->list);
}
#endif
