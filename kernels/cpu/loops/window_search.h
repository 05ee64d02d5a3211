/* The search of the window strategy for particles of the sources that may lie within the cutoff of
 * a cluster.
 *
 *   window       of a source's row, at distance (dy, dz) from the cluster's box: x within
 *                sqrt(rc^2 - dy^2 - dz^2) of the box
 *   list         the windows' particles within the cutoff of the box; flushed when full, so any
 *                number of particles fits
 *
 * In a frame rows z then y, x ascending: the order of a particle's sum. The windows of as many rows
 * as there are lanes are found at once. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_WINDOW_SEARCH_H
#define SLUICE_KERNELS_CPU_LOOPS_WINDOW_SEARCH_H
#include "kernels/cpu/loops/near_frames.h"
#include "kernels/types/bin_index.h"

/* Particles that are tested at once: a piece of a window. */
#ifdef __AVX512F__
enum { PIECE = 64 / (int)sizeof(real) };
#else
enum { PIECE = LANES };
#endif
enum { WINDOWS_MOST = 256, WINDOW_PIECES = 4 };
/* A frame near the item's, with what is searched there. */
struct window_frame {
    struct near_frame seen;
    const struct cpu_frame_bins *frame;
    const uint32_t *start; /* of the frame's first bin */
    const real *x[3];      /* offsets of all particles of the source, axis by axis */
    const real *reach2;    /* squares of their own reach; NULL: it does not matter */
    struct bin_axis axis[3];
    real bin_width[3];
    struct frame_box box;
};

/* One thread's state. */
struct search {
    const struct cpu_call *call;
    const struct frame_box *source_box[SLUICE_PASS_SOURCES]; /* [slot] */
    const real *source_x[SLUICE_PASS_SOURCES][3], *source_reach2[SLUICE_PASS_SOURCES];
    struct cpu_cluster cluster;
    struct cpu_list list;
    struct frame_box box;  /* of the cluster's particles */
    real own_reach, slack; /* of the cluster: the cutoff; the error of a position by rounding */
    struct near_frame seen[NEAR_MOST];
    struct window_frame near[NEAR_MOST];
    int near_count, row_near[NEAR_MOST],
        row_near_count; /* of the item; of the row, by number in near */
    int window_count;
    uint32_t window_first[WINDOWS_MOST],
        window_last[WINDOWS_MOST]; /* pieces of windows, of LANES particles or fewer */
};

/* --- The frames around a frame */

/* The box of consecutive particles. NaN is in no box. */
HD struct frame_box box_of(const real *position, int64_t count, const int dim)
{
    const lane far = lane_of(INFINITY);
    lane low[3] = {far, far, far}, high[3] = {-far, -far, -far}, number;
    struct frame_box b = {.support = 0};
    for (int l = 0; l < LANES; l++)
        number[l] = (real)l;
    for (int64_t i = 0; i < count; i += LANES) {
        lane x[3] = {{0}};
        lane_load(x, position + (dim + 1) * i, dim);
        const lane_mask here = number < (real)(count - i < LANES ? count - i : LANES);
        for (int c = 0; c < dim; c++) {
            low[c] = lane_min(lane_select(here, x[c], far), low[c]);
            high[c] = lane_max(lane_select(here, x[c], -far), high[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        b.low[c] = low[c][0];
        b.high[c] = high[c][0];
        for (int l = 1; l < LANES; l++) {
            b.low[c] = real_min(b.low[c], low[c][l]);
            b.high[c] = real_max(b.high[c], high[c][l]);
        }
    }
    return b;
}

/* Finds the frames around the item's. */
static inline void find_near(struct search *s, const struct sluice_grid *g, int slot)
{
    s->near_count = find_near_frames(s->call, g, slot, s->seen);
    for (int k = 0; k < s->near_count; k++) {
        struct window_frame *f = &s->near[k];
        f->seen = s->seen[k];
        const struct sluice_bins *bins = s->call->source_bins[f->seen.source];
        f->frame = &bins->frame[f->seen.slot];
        f->start = bins->start + f->frame->first_bin;
        f->box = s->source_box[f->seen.source][f->seen.slot];
        f->reach2 = s->source_reach2[f->seen.source];
        for (int c = 0; c < 3; c++) {
            f->x[c] = s->source_x[f->seen.source][c];
            f->axis[c] = bin_axis_of(g->width[c], f->frame->log2[c]);
            f->bin_width[c] = (real)(g->width[c] / (1 << f->frame->log2[c]));
        }
    }
}

/* Finds the frames near the item that are near this row. Targets with supports of their own see
 * for themselves. */
HD void find_row_near(struct search *s, const struct frame_box *row, const int dim)
{
    s->row_near_count = 0;
    for (int k = 0; k < s->near_count; k++) {
        const struct frame_box seen = box_seen(row, &s->near[k].seen, dim);
        if (s->call->ops->support ||
            box_distance2(&seen, &s->near[k].box, s->slack, dim) < s->own_reach * s->own_reach)
            s->row_near[s->row_near_count++] = k;
    }
}

/* --- Candidates */

/* Bit l: particle j + l lies within reach of the box, or within its own. */
#if defined(__AVX512F__)
#define WIDE(op, ...) LANE_TYPE(_mm512_##op##_)(__VA_ARGS__)
HD unsigned piece_bits(const struct window_frame *f, uint32_t j, const struct frame_box *box,
                       real reach2, const int dim)
{
#ifdef SLUICE_DOUBLE
    __m512d r2 = WIDE(setzero);
#else
    __m512 r2 = WIDE(setzero);
#endif
    for (int c = 0; c < dim; c++) {
        const __typeof__(r2) middle = WIDE(set1, (box->low[c] + box->high[c]) / 2);
        const __typeof__(r2) half = WIDE(set1, (box->high[c] - box->low[c]) / 2);
        const __typeof__(r2) apart = WIDE(
            sub, WIDE(abs, WIDE(sub, middle, WIDE(loadu, f->x[c] + j))), half);
        const __typeof__(r2) out = WIDE(max, apart, WIDE(setzero));
        r2 = WIDE(fmadd, out, out, r2);
    }
    __typeof__(r2) within = WIDE(set1, reach2);
    if (f->reach2)
        within = WIDE(max, within, WIDE(loadu, f->reach2 + j));
    return LANE_TYPE2(_mm512_cmp_, _mask)(r2, within, _CMP_LT_OQ);
}
#else
HD unsigned piece_bits(const struct window_frame *f, uint32_t j, const struct frame_box *box,
                       real reach2, const int dim)
{
    return boxes_within(f->x, f->x, f->reach2, j, box, reach2, dim);
}
#endif

/* Appends the noted windows' particles within reach of the box, which is in the source's
 * coordinates. */
HD void filter_windows(struct search *s, const struct window_frame *f, const struct frame_box *box,
                       const int dim)
{
    struct cpu_list *list = &s->list;
    const real reach2 = s->own_reach * s->own_reach;
    int count = list->count;
    for (int w = 0; w < s->window_count; w++) {
        const uint32_t j = s->window_first[w], left = s->window_last[w] - j;
        const unsigned valid = (1u << (left < PIECE ? left : PIECE)) - 1;
        count += lane_append(list->index + count, j, piece_bits(f, j, box, reach2, dim) & valid);
        if (count > LIST_MOST - PIECE) {
            list->count = count;
            VARIANT(list_flush)(s->call, &s->cluster, list);
            count = 0;
        }
    }
    list->count = count;
    s->window_count = 0;
}

/* Notes the particles [first, last) in pieces. Nearly always there are WINDOW_PIECES or fewer, so
 * that many are written without a branch. */
HD void note_window(struct search *s, const struct window_frame *f, const struct frame_box *box,
                    uint32_t first, uint32_t last, const int dim)
{
    for (;;) {
        for (uint32_t k = 0; k < WINDOW_PIECES; k++) {
            s->window_first[s->window_count + (int)k] = first + k * PIECE;
            s->window_last[s->window_count + (int)k] = last;
        }
        if (last - first <= WINDOW_PIECES * PIECE)
            break;
        s->window_count += WINDOW_PIECES;
        first += WINDOW_PIECES * PIECE;
        if (s->window_count > WINDOWS_MOST - WINDOW_PIECES)
            filter_windows(s, f, box, dim);
    }
    s->window_count += (int)((last - first + PIECE - 1) / PIECE);
    if (s->window_count > WINDOWS_MOST - WINDOW_PIECES)
        filter_windows(s, f, box, dim);
}

/* bin_index for each lane. */
HD lane_mask bin_indices(const struct bin_axis *a, lane x)
{
    const lane t = (x + a->half) * a->per_length;
    return __builtin_convertvector(lane_min(lane_max(t, lane_of(0)), lane_of(a->last)), lane_mask);
}

/* The windows of rows first .. last of one z, whose square distance leaves `reach2` for y and x. */
HD void search_rows(struct search *s, const struct window_frame *f, const struct frame_box *box,
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
        const lane_mask near = r2 > 0;
        const int64_t first_row = (int64_t)(z << f->frame->log2[1] | y) << f->frame->log2[0];
        for (int l = 0; l < LANES && y + l <= rows[1]; l++) {
            const uint32_t *row = f->start + (first_row + ((int64_t)l << f->frame->log2[0]));
            const uint32_t first = row[from[l]], last = row[to[l] + 1];
            note_window(s, f, box, first, near[l] ? last : first, dim);
        }
    }
}

/* Finds the candidates of one frame and sums them. */
HD void search_frame(struct search *s, const struct window_frame *f, const int dim)
{
    const real reach = real_max(s->own_reach, reach_of(f->box.support, s->slack)), slack = s->slack;
    const struct frame_box box = box_seen(&s->box, &f->seen, dim); /* of the cluster */
    int rows[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    if (box_distance2(&box, &f->box, slack, dim) >= reach * reach)
        return;
    for (int c = 0; c < dim; c++) {
        rows[c][0] = bin_index(&f->axis[c], real_max(box.low[c] - reach, f->box.low[c]));
        rows[c][1] = bin_index(&f->axis[c], real_min(box.high[c] + reach, f->box.high[c]));
    }
    list_begin(&s->list, &f->seen);
    for (int z = rows[2][0]; z <= rows[2][1]; z++) {
        const real z_low = (real)z * f->bin_width[2] - f->axis[2].half;
        const real apart = real_max(z_low - box.high[2], box.low[2] - z_low - f->bin_width[2]) -
                           slack;
        const real dz = dim == 3 ? real_max(apart, 0) : 0;
        if (dz < reach)
            search_rows(s, f, &box, rows[1], z, reach * reach - dz * dz, dim);
    }
    filter_windows(s, f, &box, dim);
    VARIANT(list_flush)(s->call, &s->cluster, &s->list);
}
#endif
