/* The loop of the strategies of cells: cells.h. All places are in the finest bins of a frame
 * (grid->bins_log2), counted from the first one of the targets' frame; a frame with few particles
 * has bins that are 2^k of them wide. */
#include "kernels/cpu/loops/cells.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/loops/cluster.h"
#include "kernels/cpu/loops/subnormal.h"

/* STAGE_KIB: of candidates, unless --shared says otherwise; STAGE_MOST_KIB if it says "all". UNITS:
 * for each thread at least, if there are as many cells. */
enum { STAGE_KIB = 48, STAGE_MOST_KIB = 1024, ROWS_MOST = 128, CLUSTERS_MOST = 32, UNITS = 8 };

/* A box of bins: low .. high - 1. */
struct cell_box {
    int low[3], high[3];
};

/* Bins at[c] .. at[c] + size[c] - 1 of a frame of the target. */
struct cell_unit {
    int slot, at[3];
};

struct cell_cluster {
    struct cpu_cluster lanes;
    struct cell_box box;
};

/* A frame of a source near the unit's. */
struct near_cells {
    int source, same;
    const uint32_t *start; /* of the frame's first bin */
    int first[3];          /* place of its first bin */
    const int8_t *log2;    /* [3] its bins, and */
    int wide[3];           /* their width, as powers of two */
    real shift[3];         /* to add to x_i - x_j */
};

/* Candidates of one row of bins. */
struct cell_row {
    const struct near_cells *near;
    const uint32_t *start; /* of the row's first bin */
    int low[3], high[3];   /* y and z: where the row is */
    uint32_t first, last;  /* particles first .. last - 1 of the source */
};

/* One pass. */
struct cell_loop {
    const struct sluice_grid *grid;
    const struct cpu_call *call;
    const struct cell_strategy *strategy;
    int bins[3], reach[3]; /* as in struct cell_demand */
    int size[3];           /* of a unit */
    int one_cell;          /* clusters have particles of one bin only */
    int64_t capacity, units, shares;
    struct cell_unit *unit;
};

/* One thread's state. */
struct cell_thread {
    const struct cell_loop *loop;
    int slot; /* of the unit's frame */
    struct cell_cluster cluster[CLUSTERS_MOST];
    struct near_cells near[SLUICE_PASS_SOURCES * 27];
    struct cell_row row[ROWS_MOST];
    int cluster_count, near_count, row_count;
    int64_t staged; /* candidates in the rows */
    struct cpu_list list;
    struct lane_sums sums;
    int64_t hits;
};

/* --- Candidates --- */

/* The bins of a frame that a cutoff reaches from a box, along one axis. Returns 0 if none. */
HD int reached(const struct cell_loop *loop, const struct near_cells *f, const struct cell_box *box,
               int c, int *from, int *to)
{
    const int low = box->low[c] - loop->reach[c] - f->first[c],
              high = box->high[c] + loop->reach[c] - f->first[c];
    *from = (low < 0 ? 0 : low) >> f->wide[c];
    *to = (high < loop->bins[c] ? high - 1 : loop->bins[c] - 1) >> f->wide[c];
    return high > 0 && low < loop->bins[c];
}

static void append(const struct cell_thread *t, struct cpu_cluster *cluster, struct cpu_list *list,
                   uint32_t first, uint32_t last)
{
    while (first < last) {
        const uint32_t left = (uint32_t)(LIST_MOST - list->count),
                       n = last - first < left ? last - first : left;
        for (uint32_t k = 0; k < n; k++)
            list->index[(uint32_t)list->count + k] = first + k;
        list->count += (int)n;
        first += n;
        if (list->count == LIST_MOST)
            VARIANT(list_flush)(t->loop->call, cluster, list);
    }
}

/* The cluster meets those of the staged rows that it reaches. */
static void meet_rows(struct cell_thread *t, struct cell_cluster *i)
{
    const struct cell_loop *loop = t->loop;
    const int *reach = loop->reach;
    const struct near_cells *near = NULL;
    struct cpu_list *list = &t->list;
    for (const struct cell_row *r = t->row; r < t->row + t->row_count; r++) {
        int from, to;
        if (r->low[1] >= i->box.high[1] + reach[1] || r->high[1] <= i->box.low[1] - reach[1] ||
            r->low[2] >= i->box.high[2] + reach[2] || r->high[2] <= i->box.low[2] - reach[2] ||
            !reached(loop, r->near, &i->box, 0, &from, &to))
            continue;
        if (near != r->near) {
            VARIANT(list_flush)(loop->call, &i->lanes, list);
            near = r->near;
            list->source = near->source;
            list->same = near->same;
            memcpy(list->shift, near->shift, sizeof near->shift);
        }
        append(t, &i->lanes, list, r->start[from] > r->first ? r->start[from] : r->first,
               r->start[to + 1] < r->last ? r->start[to + 1] : r->last);
    }
    VARIANT(list_flush)(loop->call, &i->lanes, list);
}

static void meet_stage(struct cell_thread *t)
{
    for (int n = 0; n < t->cluster_count; n++)
        meet_rows(t, &t->cluster[n]);
    t->row_count = 0;
    t->staged = 0;
}

/* Puts a row into the stage. If it does not fit, the clusters meet the rows in the stage first. */
static void stage_row(struct cell_thread *t, struct cell_row row)
{
    const int64_t capacity = t->loop->capacity;
    const uint32_t last = row.last;
    if (t->row_count == ROWS_MOST || t->staged + (last - row.first) > capacity)
        meet_stage(t);
    for (; last - row.first > capacity; row.first = row.last) { /* in pieces */
        row.last = row.first + (uint32_t)capacity;
        t->row[t->row_count++] = row;
        meet_stage(t);
    }
    row.last = last;
    t->row[t->row_count++] = row;
    t->staged += last - row.first;
}

/* Stages the rows of one frame of a source, `relative` to the unit's. */
static void stage_frame(struct cell_thread *t, const struct cell_box *box, int source,
                        const int relative[3])
{
    const struct cell_loop *loop = t->loop;
    const struct sluice_bins *bins = loop->call->source_bins[source];
    const int k = (relative[2] + 1) * 9 + (relative[1] + 1) * 3 + relative[0] + 1;
    const int32_t slot = loop->grid->neighbour[t->slot][k];
    int from[3], to[3];
    if (slot < 0 || bins->frame[slot].count == 0)
        return;
    struct near_cells *f = &t->near[t->near_count++];
    f->source = source;
    f->same = loop->call->same[source] && k == 13;
    f->start = bins->start + bins->frame[slot].first_bin;
    f->log2 = bins->frame[slot].log2;
    for (int c = 0; c < 3; c++) {
        f->first[c] = relative[c] * loop->bins[c];
        f->wide[c] = loop->grid->bins_log2[c] - f->log2[c];
        f->shift[c] = c < loop->call->dim ? (real)(-relative[c] * loop->grid->width[c]) : 0;
        if (!reached(loop, f, box, c, &from[c], &to[c]))
            return;
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++) {
            const uint32_t *start = f->start + ((int64_t)(z << f->log2[1] | y) << f->log2[0]);
            const struct cell_row row = {
                f,
                start,
                {0, f->first[1] + (y << f->wide[1]), f->first[2] + (z << f->wide[2])},
                {0, f->first[1] + ((y + 1) << f->wide[1]), f->first[2] + ((z + 1) << f->wide[2])},
                start[from[0]],
                start[to[0] + 1]};
            if (row.first < row.last)
                stage_row(t, row);
        }
}

/* --- Targets --- */

/* The box around all clusters. */
static struct cell_box box_of_clusters(const struct cell_thread *t)
{
    struct cell_box box = t->cluster[0].box;
    for (int n = 1; n < t->cluster_count; n++)
        for (int c = 0; c < 3; c++) {
            const struct cell_box *one = &t->cluster[n].box;
            box.low[c] = one->low[c] < box.low[c] ? one->low[c] : box.low[c];
            box.high[c] = one->high[c] > box.high[c] ? one->high[c] : box.high[c];
        }
    return box;
}

/* The clusters meet all candidates around them, and are done. */
static void run_clusters(struct cell_thread *t)
{
    const struct cell_loop *loop = t->loop;
    const struct cpu_call *call = loop->call;
    if (t->cluster_count == 0)
        return;
    const struct cell_box box = box_of_clusters(t);
    int from[3], to[3], r[3];
    for (int c = 0; c < 3; c++) { /* frames, relative to the unit's */
        from[c] = box.low[c] - loop->reach[c] < 0 ? -1 : 0;
        to[c] = box.high[c] + loop->reach[c] > loop->bins[c];
    }
    for (int n = 0; n < t->cluster_count; n++)
        call->ops->begin(call, &t->cluster[n].lanes);
    t->near_count = 0;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++)
        for (r[2] = from[2]; r[2] <= to[2] && call->source_bins[source]; r[2]++)
            for (r[1] = from[1]; r[1] <= to[1]; r[1]++)
                for (r[0] = from[0]; r[0] <= to[0]; r[0]++)
                    stage_frame(t, &box, source, r);
    meet_stage(t);
    for (int n = 0; n < t->cluster_count; n++) {
        call->ops->end(call, &t->cluster[n].lanes, &t->sums);
        t->hits += t->cluster[n].lanes.hits;
    }
    t->cluster_count = 0;
}

/* Makes clusters of bins x .. last_x - 1 of a row, and runs them when there are enough. */
static void add_targets(struct cell_thread *t, const uint32_t *row, const int wide[3], int x,
                        int last_x, int y, int z)
{
    const struct cell_loop *loop = t->loop;
    const int most = loop->strategy->alone ? 1 : CLUSTERS_MOST;
    int64_t first = row[x];
    const int64_t last = row[last_x];
    for (;;) {
        struct cell_cluster *i = &t->cluster[t->cluster_count];
        if (!cluster_next(loop->call, &i->lanes, &first, last))
            return;
        i->lanes.hits = 0;
        while (row[x + 1] <= i->lanes.particle[0])
            x++;
        int end = x + 1;
        while (row[end] <= i->lanes.particle[LANES - 1])
            end++;
        i->box = (struct cell_box){{x << wide[0], y << wide[1], z << wide[2]},
                                   {end << wide[0], (y + 1) << wide[1], (z + 1) << wide[2]}};
        if (++t->cluster_count == most)
            run_clusters(t);
    }
}

/* Bins of a unit along an axis: fewer at the end of the frame. */
static int end_of(const struct cell_loop *loop, const struct cell_unit *unit, int c, int log2)
{
    const int end = unit->at[c] + loop->size[c];
    return end < 1 << log2 ? end : 1 << log2;
}

static void run_unit(struct cell_thread *t, const struct cell_unit *unit)
{
    const struct cell_loop *loop = t->loop;
    const struct sluice_bins *bins = loop->call->target_bins;
    const struct cpu_frame_bins *f = &bins->frame[unit->slot];
    const int x0 = unit->at[0], x1 = end_of(loop, unit, 0, f->log2[0]);
    int wide[3];
    for (int c = 0; c < 3; c++)
        wide[c] = loop->grid->bins_log2[c] - f->log2[c];
    t->slot = unit->slot;
    for (int z = unit->at[2]; z < end_of(loop, unit, 2, f->log2[2]); z++)
        for (int y = unit->at[1]; y < end_of(loop, unit, 1, f->log2[1]); y++) {
            const uint32_t *row = bins->start + f->first_bin +
                                  ((int64_t)(z << f->log2[1] | y) << f->log2[0]);
            for (int x = x0; x < x1 && loop->one_cell; x++)
                add_targets(t, row, wide, x, x + 1, y, z);
            if (!loop->one_cell)
                add_targets(t, row, wide, x0, x1, y, z);
        }
    run_clusters(t);
}

/* Share k has units k, k + shares, k + 2 shares ... */
static void run_units(struct sluice_share *share, void *data)
{
    const struct cell_loop *loop = data;
    const unsigned mode = subnormal_begin();
    struct cell_thread t;
    int64_t k;
    t.loop = loop;
    t.cluster_count = t.row_count = t.list.count = 0;
    t.staged = t.hits = 0;
    t.sums = (struct lane_sums){.to = loop->call->sums};
    while (sluice_share_next(share, &k))
        for (; k < loop->units; k += loop->shares)
            run_unit(&t, &loop->unit[k]);
    VARIANT(add_sums)(loop->call, &t.sums, t.hits);
    subnormal_end(mode);
}

/* --- The plan --- */

static int has_particles(const struct cell_loop *loop, const struct cell_unit *unit)
{
    const struct sluice_bins *bins = loop->call->target_bins;
    const struct cpu_frame_bins *f = &bins->frame[unit->slot];
    const int x1 = end_of(loop, unit, 0, f->log2[0]);
    for (int z = unit->at[2]; z < end_of(loop, unit, 2, f->log2[2]); z++)
        for (int y = unit->at[1]; y < end_of(loop, unit, 1, f->log2[1]); y++) {
            const uint32_t *row = bins->start + f->first_bin +
                                  ((int64_t)(z << f->log2[1] | y) << f->log2[0]);
            if (row[x1] > row[unit->at[0]])
                return 1;
        }
    return 0;
}

/* Fills `unit` unless it is NULL; returns how many there are. */
static int64_t list_units(const struct cell_loop *loop, struct cell_unit *unit)
{
    const struct sluice_bins *bins = loop->call->target_bins;
    const int *size = loop->size;
    int64_t count = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        const struct cpu_frame_bins *f = &bins->frame[slot];
        if (f->count == 0)
            continue;
        for (int z = 0; z < 1 << f->log2[2]; z += size[2])
            for (int y = 0; y < 1 << f->log2[1]; y += size[1])
                for (int x = 0; x < 1 << f->log2[0]; x += size[0]) {
                    const struct cell_unit one = {slot, {x, y, z}};
                    if (!has_particles(loop, &one))
                        continue;
                    if (unit)
                        unit[count] = one;
                    count++;
                }
    }
    return count;
}

/* Particles in the fullest bin of a set, and the bins that hold some. */
static int64_t fullest_of(const struct sluice_bins *bins, int64_t *occupied)
{
    int64_t fullest = 0;
    *occupied = 0;
    for (uint32_t k = 0; bins && k < bins->bin_count; k++) {
        const int64_t n = bins->start[k + 1] - bins->start[k];
        fullest = n > fullest ? n : fullest;
        *occupied += n > 0;
    }
    return fullest;
}

/* Chooses the size of units by this rank's particles: it changes no bit. */
static void plan_units(struct cell_loop *loop, int threads)
{
    int64_t occupied, ignored;
    struct cell_demand d = {.dimension = loop->call->dim,
                            .fullest = fullest_of(loop->call->target_bins, &occupied),
                            .capacity = loop->capacity};
    memcpy(d.bins, loop->bins, sizeof d.bins);
    memcpy(d.reach, loop->reach, sizeof d.reach);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++) {
        const int64_t n = loop->call->same[s] ? 0
                                              : fullest_of(loop->call->source_bins[s], &ignored);
        d.fullest = n > d.fullest ? n : d.fullest;
    }
    int *size = loop->size;
    if (loop->strategy->plan)
        loop->strategy->plan(&d, size);
    while ((int64_t)size[0] * size[1] * size[2] > 1 &&
           occupied < (int64_t)size[0] * size[1] * size[2] * UNITS * threads)
        size[size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0] /= 2;
}

static void set_cells(struct cell_loop *loop, const struct sluice_backend *b)
{
    const struct sluice_grid *g = loop->grid;
    const int kib = b->shared_kib > 0   ? b->shared_kib
                    : b->shared_kib < 0 ? STAGE_MOST_KIB
                                        : STAGE_KIB,
              most = loop->strategy->most;
    loop->capacity = kib * 1024 / loop->call->ops->candidate_bytes;
    if (most > 0 && most < loop->capacity)
        loop->capacity = most;
    if (loop->strategy->alone) /* no others meet the stage */
        loop->capacity = INT64_MAX;
    loop->one_cell = b->published;
    for (int c = 0; c < 3; c++) {
        const int used = c < g->dimension;
        loop->bins[c] = used ? 1 << g->bins_log2[c] : 1;
        loop->reach[c] = used ? (int)ceil(g->cutoff * (1 - 1e-6) * loop->bins[c] / g->width[c]) : 0;
        loop->size[c] = 1;
    }
}

sluice_status VARIANT(interact_cells)(const struct sluice_backend *b, const struct sluice_grid *g,
                                      struct sluice_pass *pass, struct cpu_scratch *work,
                                      const struct cell_strategy *strategy)
{
    const int threads = sluice_threads_used(b->team);
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    if (pass->target->count > 0) {
        struct cell_loop loop = {.grid = g, .call = &call, .strategy = strategy};
        set_cells(&loop, b);
        plan_units(&loop, threads);
        loop.units = list_units(&loop, NULL);
        SLUICE_TRY(cpu_scratch_reserve(work, (size_t)loop.units * sizeof *loop.unit));
        loop.unit = work->memory;
        list_units(&loop, loop.unit);
        loop.shares = strategy->strided && threads < loop.units ? threads : loop.units;
        sluice_threads_run(b->team, loop.shares, run_units, &loop);
    }
    VARIANT(call_close)(&call, pass);
    return SLUICE_OK;
}
