/* The window strategy: clusters of consecutive particles of a row, candidates from exact windows in rows of fine bins.
 *
 *   work item    a run of rows of one frame of the target, some ITEM_PARTICLES particles: it depends on the state only, not on threads
 *   row          bins of one (y, z): its particles, LANES at a time, are the clusters
 *   window       of a source's row, at distance (dy, dz) from the cluster's box: x within sqrt(rc^2 - dy^2 - dz^2) of the box
 *   list         what of the windows lies within the cutoff of the box; flushed whenever full, so that no crowd is too large
 *
 * Sources in order, frames by their relative (z, y, x), rows z then y, x ascending: the order of a particle's sum. An image is a frame
 * seen with a shift. */
#include "kernels/cpu/bin_index.h"
#include "kernels/cpu/cluster.h"
#include "kernels/cpu/lane_load.h"

#include <string.h>

enum { ITEM_PARTICLES = 256 };

const int LEAF(window_lanes) = LANES;

/* Rows first_row .. last_row - 1 of a frame. */
struct item {
    int slot, first_row, last_row;
};

/* A frame of a source near the item's frame. */
struct near_frame {
    int source, same;
    const struct cpu_frame_bins *frame;
    const uint32_t *start;          /* of the frame's first bin */
    const real *position;
    struct bin_axis axis[3];
    real bin_width[3];
    real shift[3];                  /* to add to x_i - x_j */
};

/* One thread's state. */
struct search {
    const struct cpu_call *call;
    struct cpu_cluster cluster;
    struct cpu_list list;
    real low[3], high[3];           /* box of the cluster's particles */
    real reach, slack;              /* the cutoff and what rounding of positions can hide */
    struct near_frame near[SLUICE_PASS_SOURCES * 27];
    int near_count;
};

/* --- What lies around a frame ---------------------------------------------------------------------------------------------- */

static void find_near(struct search *s, const struct sluice_grid *g, int slot)
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
            for (int c = 0; c < 3; c++) {
                f->axis[c] = bin_axis_of(g->width[c], f->frame->log2[c]);
                f->bin_width[c] = (real)(g->width[c] / (1 << f->frame->log2[c]));
                f->shift[c] = c < call->dim ? (real)(-relative[c] * g->width[c]) : 0;
            }
        }
}

/* --- Candidates ------------------------------------------------------------------------------------------------------------ */

/* How far x lies outside [low, high]. */
HD lane beyond(real low, real high, lane x)
{
    return lane_max(lane_max(low - x, x - high), lane_of(0));
}

/* Appends those of the particles [first, last) that lie within reach of the box (given in the source's coordinates). */
HD void append(struct search *s, const struct near_frame *f, const real low[3], const real high[3], uint32_t first, uint32_t last,
               const int dim)
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

/* The windows of one frame's rows. */
HD void search_frame(struct search *s, const struct near_frame *f, const int dim)
{
    const real reach = s->reach, slack = s->slack;
    real low[3], high[3];
    int first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++) {
        low[c] = s->low[c] + f->shift[c];
        high[c] = s->high[c] + f->shift[c];
        if (low[c] - reach > f->axis[c].half + slack || high[c] + reach < -f->axis[c].half - slack)
            return;
        first[c] = bin_index(&f->axis[c], low[c] - reach);
        last[c] = bin_index(&f->axis[c], high[c] + reach);
    }
    s->list.source = f->source;
    s->list.same = f->same;
    memcpy(s->list.shift, f->shift, sizeof f->shift);
    for (int z = first[2]; z <= last[2]; z++) {
        const real z_low = (real)z * f->bin_width[2] - f->axis[2].half;
        const real dz = dim == 3 ? real_max(real_max(z_low - high[2], low[2] - z_low - f->bin_width[2]) - slack, 0) : 0;
        for (int y = first[1]; y <= last[1]; y++) {
            const real y_low = (real)y * f->bin_width[1] - f->axis[1].half;
            const real dy = real_max(real_max(y_low - high[1], low[1] - y_low - f->bin_width[1]) - slack, 0);
            const real r2 = reach * reach - dz * dz - dy * dy;
            if (r2 <= 0)
                continue;
            const real r = REAL_SQRT(r2) + slack;
            const uint32_t *row = f->start + ((int64_t)(z << f->frame->log2[1] | y) << f->frame->log2[0]);
            append(s, f, low, high, row[bin_index(&f->axis[0], low[0] - r)], row[bin_index(&f->axis[0], high[0] + r) + 1], dim);
        }
    }
    LEAF(list_flush)(s->call, &s->cluster, &s->list);
}

/* --- Targets --------------------------------------------------------------------------------------------------------------- */

HD void run_cluster(struct search *s, const int dim, double out[SLUICE_SUM_COUNT])
{
    struct cpu_cluster *cluster = &s->cluster;
    s->call->ops->begin(s->call, cluster);
    for (int c = 0; c < dim; c++) {
        s->low[c] = s->high[c] = cluster->x[c][0];
        for (int l = 1; l < LANES; l++) {
            s->low[c] = real_min(s->low[c], cluster->x[c][l]);
            s->high[c] = real_max(s->high[c], cluster->x[c][l]);
        }
    }
    for (int k = 0; k < s->near_count; k++)
        search_frame(s, &s->near[k], dim);
    s->call->ops->end(s->call, cluster, out);
}

static void run_item(struct search *s, const struct sluice_grid *g, const struct item *item, double out[SLUICE_SUM_COUNT])
{
    const struct cpu_frame_bins *frame = &s->call->target_bins->frame[item->slot];
    const uint32_t *start = s->call->target_bins->start + frame->first_bin;
    const int bins = 1 << frame->log2[0];
    find_near(s, g, item->slot);
    s->cluster.hits = 0;
    for (int row = item->first_row; row < item->last_row; row++) {
        const int64_t last = start[(int64_t)(row + 1) * bins];
        for (int64_t first = start[(int64_t)row * bins]; first < last; first += LANES) {
            s->cluster.first = first;
            s->cluster.count = last - first < LANES ? (int)(last - first) : LANES;
            if (s->call->dim == 3)
                run_cluster(s, 3, out);
            else
                run_cluster(s, 2, out);
        }
    }
    out[SLUICE_SUM_PAIRS] += (double)s->cluster.hits;
}

/* Rows of a frame that make one item. */
static int rows_an_item(const struct cpu_frame_bins *frame)
{
    const int64_t rows = (int64_t)1 << (frame->log2[1] + frame->log2[2]), wanted = rows * ITEM_PARTICLES / frame->count;
    return (int)(wanted < 1 ? 1 : wanted > rows ? rows : wanted);
}

/* Fills `item` unless it is NULL; returns how many there are. */
static int64_t list_items(const struct sluice_bins *bins, struct item *item)
{
    int64_t count = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        if (bins->frame[slot].count == 0)
            continue;
        const int rows = 1 << (bins->frame[slot].log2[1] + bins->frame[slot].log2[2]), step = rows_an_item(&bins->frame[slot]);
        for (int row = 0; row < rows; row += step, count++)
            if (item)
                item[count] = (struct item){slot, row, row + step < rows ? row + step : rows};
    }
    return count;
}

/* What rounding can make of a position beside a bin's border or of a distance beside the cutoff. */
static void set_reach(struct search *s, const struct sluice_grid *g)
{
    real width = 0;
    for (int c = 0; c < g->dimension; c++)
        width = real_max(width, (real)g->width[c]);
    s->slack = width * (sizeof(real) == 4 ? (real)1e-6 : (real)1e-15);
    s->reach = s->call->cutoff * (1 + (sizeof(real) == 4 ? (real)1e-6 : (real)1e-15)) + s->slack;
}

sluice_status LEAF(interact_window)(const struct sluice_grid *g, struct sluice_pass *pass, struct cpu_scratch *work)
{
    memset(pass->sum, 0, sizeof pass->sum);
    if (pass->target->count == 0)
        return SLUICE_OK;
    struct cpu_call call;
    LEAF(call_open)(&call, pass);
    const int64_t items = list_items(call.target_bins, NULL);
    const size_t sums = (size_t)items * SLUICE_SUM_COUNT * sizeof(double);
    SLUICE_TRY(cpu_scratch_reserve(work, sums + (size_t)items * sizeof(struct item)));
    double(*sum)[SLUICE_SUM_COUNT] = work->memory;
    struct item *item = (struct item *)(void *)((char *)work->memory + sums);
    list_items(call.target_bins, item);
#pragma omp parallel
    {
        struct search s;
        s.call = &call;
        s.list.count = 0;
        set_reach(&s, g);
#pragma omp for schedule(dynamic, 1)
        for (int64_t i = 0; i < items; i++) {
            memset(sum[i], 0, sizeof sum[i]);
            run_item(&s, g, &item[i], sum[i]);
        }
    }
    LEAF(sum_items)(sum, items, pass->sum);
    return SLUICE_OK;
}
