/* The window strategy: clusters of consecutive particles of a row, candidates from exact windows in
 * rows of fine bins.
 *
 *   work item    a run of rows of one frame of the target, some ITEM_PARTICLES particles: it
 *                depends on the state only, not on threads
 *   row          bins of one (y, z): its particles, LANES at a time, are the clusters
 *
 * How the candidates are found: window_search.h. */
#include "kernels/cpu/window_search.h"

enum { ITEM_PARTICLES = 256 };

const int LEAF(window_lanes) = LANES;

/* Rows first_row .. last_row - 1 of a frame. */
struct item {
    int slot, first_row, last_row;
};

/* --- Targets */

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

static void run_item(struct search *s, const struct sluice_grid *g, const struct item *item,
                     double out[SLUICE_SUM_COUNT])
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
    const int64_t rows = (int64_t)1 << (frame->log2[1] + frame->log2[2]),
                  wanted = rows * ITEM_PARTICLES / frame->count;
    return (int)(wanted < 1 ? 1 : wanted > rows ? rows : wanted);
}

/* Fills `item` unless it is NULL; returns how many there are. */
static int64_t list_items(const struct sluice_bins *bins, struct item *item)
{
    int64_t count = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        if (bins->frame[slot].count == 0)
            continue;
        const int rows = 1 << (bins->frame[slot].log2[1] + bins->frame[slot].log2[2]),
                  step = rows_an_item(&bins->frame[slot]);
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

/* The boxes of the sources' frames. */
static void find_boxes(const struct cpu_call *call, int frames, struct frame_box *box)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int n = 0; n < SLUICE_PASS_SOURCES * frames; n++) {
        const int source = n / frames, slot = n % frames;
        const struct sluice_bins *bins = call->source_bins[source];
        if (!bins || bins->frame[slot].count == 0)
            continue;
        const int64_t first = bins->start[bins->frame[slot].first_bin];
        const real *position = (const real *)call->source[source].field[SLUICE_FIELD_POSITION] +
                               (call->dim + 1) * first;
        box[n] = call->dim == 3 ? box_of(position, bins->frame[slot].count, 3)
                                : box_of(position, bins->frame[slot].count, 2);
    }
}

sluice_status LEAF(interact_window)(const struct sluice_grid *g, struct sluice_pass *pass,
                                    struct cpu_scratch *work)
{
    memset(pass->sum, 0, sizeof pass->sum);
    if (pass->target->count == 0)
        return SLUICE_OK;
    struct cpu_call call;
    LEAF(call_open)(&call, pass);
    const int frames = call.target_bins->frame_count;
    const int64_t items = list_items(call.target_bins, NULL);
    const size_t sums = (size_t)items * SLUICE_SUM_COUNT * sizeof(double);
    const size_t boxes = (size_t)frames * SLUICE_PASS_SOURCES * sizeof(struct frame_box);
    SLUICE_TRY(cpu_scratch_reserve(work, sums + boxes + (size_t)items * sizeof(struct item)));
    double(*sum)[SLUICE_SUM_COUNT] = work->memory;
    struct frame_box *box = (struct frame_box *)(void *)((char *)work->memory + sums);
    struct item *item = (struct item *)(void *)((char *)work->memory + sums + boxes);
    list_items(call.target_bins, item);
    find_boxes(&call, frames, box);
#pragma omp parallel
    {
        struct search s;
        s.call = &call;
        s.list.count = 0;
        for (int source = 0; source < SLUICE_PASS_SOURCES; source++)
            s.box[source] = box + source * frames;
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
