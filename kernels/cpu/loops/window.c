/* The window strategy: clusters of consecutive particles of a row, candidates from exact windows in
 * rows of fine bins.
 *
 *   work item    a run of rows of one frame of the target, some ITEM_PARTICLES particles: it
 *                depends on the state only, not on threads
 *   row          bins of one (y, z): its particles, LANES at a time, are the clusters
 *
 * window_search.h finds the candidates. */
#include "kernels/cpu/loops/subnormal.h"
#include "kernels/cpu/loops/window_search.h"

enum { ITEM_PARTICLES = 256, FRAME_GROUP = 8 }; /* frames whose boxes one thread finds */

const int VARIANT(window_lanes) = LANES;

/* Rows first_row .. last_row - 1 of a frame. */
struct item {
    int slot, first_row, last_row;
};

/* --- Targets */

HD void search_for_cluster(struct search *s, const int dim, struct lane_sums *sums)
{
    struct cpu_cluster *cluster = &s->cluster;
    s->call->ops->begin(s->call, cluster);
    if (s->call->ops->support)
        s->own_reach = reach_of(cluster->reach, s->slack);
    cluster_box(cluster, &s->box, dim);
    for (int k = 0; k < s->row_near_count; k++)
        search_frame(s, &s->near[s->row_near[k]], dim);
    s->call->ops->end(s->call, cluster, sums);
}

HD void run_cluster(struct search *s, const int dim, struct lane_sums *sums)
{
    do
        search_for_cluster(s, dim, sums);
    while (s->call->ops->support && s->cluster.left);
}

/* The particles [first, last) of one row. */
HD void run_row(struct search *s, int64_t first, int64_t last, const int dim,
                struct lane_sums *sums)
{
    const real *position = s->call->target.field[SLUICE_FIELD_POSITION];
    const uint8_t *own = s->call->own;
    while (own && first < last && !own[first])
        first++;
    if (first == last)
        return;
    const struct frame_box box = box_of(position + (dim + 1) * first, last - first, dim);
    find_row_near(s, &box, dim);
    while (cluster_next(s->call, &s->cluster, &first, last))
        run_cluster(s, dim, sums);
}

static void run_item(struct search *s, const struct sluice_grid *g, const struct item *item,
                     struct lane_sums *sums)
{
    const struct cpu_frame_bins *frame = &s->call->target_bins->frame[item->slot];
    const uint32_t *start = s->call->target_bins->start + frame->first_bin;
    const int64_t bins = (int64_t)1 << frame->log2[0];
    find_near(s, g, item->slot);
    for (int row = item->first_row; row < item->last_row; row++) {
        const int64_t first = start[row * bins], last = start[(row + 1) * bins];
        if (first < last && s->call->dim == 3)
            run_row(s, first, last, 3, sums);
        else if (first < last)
            run_row(s, first, last, 2, sums);
    }
}

/* Rows of a frame in one item. */
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

/* The sources, prepared for the search: offsets axis by axis, squares of their own reach, and the
 * boxes of the frames. */
struct prepared {
    real *x[SLUICE_PASS_SOURCES][3];   /* padded by a piece */
    real *reach2[SLUICE_PASS_SOURCES]; /* likewise; NULL: it does not matter to targets */
    struct frame_box *box;             /* [source][slot] */
};

HD void split_axes(real *const x[3], const real *position, int64_t first, int64_t last,
                   const int dim)
{
    for (int64_t i = first; i < last; i += LANES) {
        lane v[3] = {{0}};
        lane_load(v, position + (dim + 1) * i, dim);
        for (int c = 0; c < dim; c++)
            memcpy(x[c] + i, &v[c], sizeof v[c]);
    }
}

/* One pass: its loops, first over what the search reads, then over the items. */
struct window_loop {
    const struct sluice_grid *grid;
    const struct cpu_call *call;
    struct prepared prepared;
    int frames;
    real slack;
    int64_t blocks[SLUICE_PASS_SOURCES]; /* of the sources' particles */
    struct item *item;
};

/* Block b of a source's particles. */
static void split_block(const struct window_loop *loop, int source, int64_t b)
{
    const struct sluice_view *v = &loop->call->source[source];
    const real *position = v->field[SLUICE_FIELD_POSITION];
    const int64_t first = b * CPU_BLOCK,
                  last = v->count - first < CPU_BLOCK ? v->count : first + CPU_BLOCK;
    if (loop->call->dim == 3)
        split_axes(loop->prepared.x[source], position, first, last, 3);
    else
        split_axes(loop->prepared.x[source], position, first, last, 2);
    if (!loop->prepared.reach2[source])
        return;
    real *reach2 = loop->prepared.reach2[source] + first;
    loop->call->ops->support(loop->call, v, first, last - first, reach2);
    for (int64_t i = 0; i < last - first; i++) {
        const real reach = reach_of(reach2[i], loop->slack);
        reach2[i] = reach * reach;
    }
}

/* The largest support of consecutive particles of a source, m. */
static real largest_support(const struct cpu_call *call, int source, int64_t first, int64_t count)
{
    enum { PART = 256 };
    real support[PART], most = 0;
    for (int64_t i = 0; i < count; i += PART)
        most = real_max(most, call->ops->support(call, &call->source[source], first + i,
                                                 count - i < PART ? count - i : PART, support));
    return most;
}

static void find_box(const struct window_loop *loop, int source, int slot)
{
    const struct sluice_bins *bins = loop->call->source_bins[source];
    const real *position = loop->call->source[source].field[SLUICE_FIELD_POSITION];
    const int64_t first = bins->start[bins->frame[slot].first_bin], count = bins->frame[slot].count;
    struct frame_box *box = &loop->prepared.box[source * loop->frames + slot];
    if (count > 0 && loop->call->dim == 3)
        *box = box_of(position + 4 * first, count, 3);
    else if (count > 0)
        *box = box_of(position + 3 * first, count, 2);
    box->support = loop->call->ops->gathers_either
                       ? largest_support(loop->call, source, first, count)
                       : 0;
}

static void find_boxes(const struct window_loop *loop, int source, int64_t group)
{
    for (int64_t slot = group * FRAME_GROUP;
         slot < loop->frames && slot < (group + 1) * FRAME_GROUP; slot++)
        find_box(loop, source, (int)slot);
}

static int64_t parts_of(const struct window_loop *loop, int source)
{
    return loop->call->source_bins[source]
               ? loop->blocks[source] + sluice_blocks(loop->frames, FRAME_GROUP)
               : 0;
}

/* For each source the blocks, then the frames in groups. */
static void prepare_sources(struct sluice_share *share, void *data)
{
    const struct window_loop *loop = data;
    int64_t k;
    while (sluice_share_next(share, &k))
        for (int source = 0; source < SLUICE_PASS_SOURCES; source++) {
            const int64_t blocks = loop->blocks[source], all = parts_of(loop, source);
            if (k >= 0 && k < blocks)
                split_block(loop, source, k);
            else if (k >= 0 && k < all)
                find_boxes(loop, source, k - blocks);
            k -= all;
        }
}

static void run_items(struct sluice_share *share, void *data)
{
    const struct window_loop *loop = data;
    const unsigned mode = subnormal_begin();
    struct search s;
    int64_t i;
    s.call = loop->call;
    s.list.count = 0;
    s.window_count = 0;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++) {
        s.source_box[source] = loop->prepared.box + source * loop->frames;
        for (int c = 0; c < 3; c++)
            s.source_x[source][c] = loop->prepared.x[source][c];
        s.source_reach2[source] = loop->prepared.reach2[source];
    }
    s.slack = loop->slack;
    s.own_reach = reach_of(s.call->cutoff, s.slack);
    struct lane_sums sums = {.to = loop->call->sums};
    s.cluster.hits = 0;
    while (sluice_share_next(share, &i))
        run_item(&s, loop->grid, &loop->item[i], &sums);
    VARIANT(add_sums)(loop->call, &sums, s.cluster.hits);
    subnormal_end(mode);
}

/* Divides the scratch memory: boxes, items, offsets. */
static sluice_status reserve(const struct cpu_call *call, struct cpu_scratch *work, int64_t items,
                             int frames, struct prepared *p, struct item **item)
{
    const size_t boxes = (size_t)frames * SLUICE_PASS_SOURCES * sizeof(struct frame_box);
    const size_t before = (boxes + (size_t)items * sizeof(struct item) + 63) / 64 * 64;
    size_t axis[SLUICE_PASS_SOURCES], bytes = before;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++) {
        axis[source] = call->source_bins[source]
                           ? ((size_t)call->source[source].count * sizeof(real) + 191) / 64 * 64
                           : 0;
        bytes += (size_t)(call->dim + call->ops->gathers_either) * axis[source];
    }
    SLUICE_TRY(cpu_scratch_reserve(work, bytes));
    char *at = (char *)work->memory + before;
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++) {
        for (int c = 0; c < 3; c++) {
            p->x[source][c] = c < call->dim ? (real *)(void *)at : NULL;
            at += c < call->dim ? axis[source] : 0;
        }
        p->reach2[source] = call->ops->gathers_either ? (real *)(void *)at : NULL;
        at += call->ops->gathers_either ? axis[source] : 0;
    }
    p->box = work->memory;
    *item = (struct item *)(void *)((char *)work->memory + boxes);
    return SLUICE_OK;
}

sluice_status VARIANT(run_window)(struct sluice_threads *team, const struct sluice_grid *g,
                                  const struct cpu_call *call, struct cpu_scratch *work)
{
    const int frames = call->target_bins->frame_count;
    const int64_t items = list_items(call->target_bins, NULL);
    struct window_loop loop = {.grid = g, .call = call, .frames = frames, .slack = slack_of(g)};
    int64_t parts = 0;
    SLUICE_TRY(reserve(call, work, items, frames, &loop.prepared, &loop.item));
    list_items(call->target_bins, loop.item);
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++)
        if (call->source_bins[source]) {
            loop.blocks[source] = sluice_blocks(call->source[source].count, CPU_BLOCK);
            parts += parts_of(&loop, source);
        }
    sluice_threads_run(team, parts, prepare_sources, &loop);
    sluice_threads_run(team, items, run_items, &loop);
    return SLUICE_OK;
}

sluice_status VARIANT(interact_window)(const struct sluice_backend *b, const struct sluice_grid *g,
                                       struct sluice_pass *pass, struct cpu_scratch *work)
{
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    if (pass->target->count > 0)
        SLUICE_TRY(VARIANT(run_window)(b->team, g, &call, work));
    VARIANT(call_close)(&call, pass);
    return SLUICE_OK;
}
