/* All pairs, without a search: every cluster meets every particle of the sources and of their
 * images. For small systems, and as the reference for the other strategies: nothing here depends on
 * cutoffs, bins or windows. */
#include "kernels/cpu/loops/subnormal.h"
#include "kernels/cpu/loops/cluster.h"
#include "kernels/cpu/loops/wall_images.h"

#include <string.h>

enum { ITEM_CLUSTERS = 8 };

/* Particles first .. last - 1 of a frame. */
struct tile {
    int slot;
    int64_t first, last;
};

static int64_t list_tiles(const struct sluice_bins *bins, struct tile *tile)
{
    int64_t count = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        if (bins->frame[slot].count == 0)
            continue;
        const int64_t begin = bins->start[bins->frame[slot].first_bin],
                      end = begin + bins->frame[slot].count;
        for (int64_t first = begin; first < end; first += ITEM_CLUSTERS * LANES, count++)
            if (tile)
                tile[count] = (struct tile){
                    slot, first,
                    first + ITEM_CLUSTERS * LANES < end ? first + ITEM_CLUSTERS * LANES : end};
    }
    return count;
}

/* Adds all particles of one frame of a source, seen with one shift. */
static void meet_frame(const struct cpu_call *call, struct cpu_cluster *cluster,
                       struct cpu_list *list, const struct sluice_bins *bins, int slot)
{
    const int64_t begin = bins->start[bins->frame[slot].first_bin],
                  end = begin + bins->frame[slot].count;
    for (int64_t n = begin; n < end; n++) {
        list->index[list->count++] = (uint32_t)n;
        if (list->count == LIST_MOST)
            VARIANT(list_flush)(call, cluster, list);
    }
    VARIANT(list_flush)(call, cluster, list);
}

/* The same through walls: of a cluster of frame `own`, seen in the mirrors of some faces of the
 * domain; along the other axes as it is. */
static void meet_mirrored(const struct sluice_grid *g, const struct cpu_call *call,
                          struct cpu_cluster *cluster, struct cpu_list *list, int own, int slot)
{
    struct wall_images images;
    wall_images_begin(&images, g);
    while (wall_images_next(&images)) {
        real unmirrored[3];
        memcpy(unmirrored, list->shift, sizeof unmirrored);
        wall_images_shift(&images, own, slot, list->shift);
        list->mirror = images.axes;
        meet_frame(call, cluster, list, call->source_bins[list->source], slot);
        list->mirror = 0;
        memcpy(list->shift, unmirrored, sizeof unmirrored);
    }
}

/* Adds one frame of a source and its images -1, 0, 1 along periodic axes, in the order z, y, x, to
 * a cluster of frame `own`. Image 0 is the nearest one. */
static void meet_images(const struct sluice_grid *g, const struct cpu_call *call,
                        struct cpu_cluster *cluster, struct cpu_list *list, int own, int slot)
{
    int64_t difference[3] = {0, 0, 0};
    int images[3] = {0, 0, 0};
    for (int c = 0; c < call->dim; c++) {
        difference[c] = (int64_t)g->frame[own][c] - g->frame[slot][c];
        images[c] = g->periodic[c] ? 1 : 0;
        if (g->periodic[c] && 2 * difference[c] > g->wrap[c])
            difference[c] -= g->wrap[c];
        if (g->periodic[c] && 2 * difference[c] < -g->wrap[c])
            difference[c] += g->wrap[c];
    }
    for (int z = -images[2]; z <= images[2]; z++)
        for (int y = -images[1]; y <= images[1]; y++)
            for (int x = -images[0]; x <= images[0]; x++) {
                const int image[3] = {x, y, z};
                int moved = 0;
                for (int c = 0; c < 3; c++) {
                    const int64_t frames = difference[c] - (int64_t)image[c] * g->wrap[c];
                    list->shift[c] = c < call->dim ? (real)((double)frames * g->width[c]) : 0;
                    moved |= frames != 0;
                }
                list->same = call->same[list->source] && !moved;
                meet_frame(call, cluster, list, call->source_bins[list->source], slot);
                list->same = 0;
                if (g->walls && call->ops->mirror)
                    meet_mirrored(g, call, cluster, list, own, slot);
            }
}

static void meet_all(const struct sluice_grid *g, const struct cpu_call *call,
                     struct cpu_cluster *cluster, struct cpu_list *list, int own)
{
    for (int source = 0; source < SLUICE_PASS_SOURCES; source++) {
        const struct sluice_bins *bins = call->source_bins[source];
        list->source = source;
        for (int slot = 0; bins && slot < bins->frame_count; slot++)
            if (bins->frame[slot].count > 0)
                meet_images(g, call, cluster, list, own, slot);
    }
}

static void run_tile(const struct sluice_grid *g, const struct cpu_call *call,
                     const struct tile *tile, struct cpu_cluster *cluster, struct cpu_list *list,
                     struct lane_sums *sums)
{
    int64_t first = tile->first;
    while (cluster_next(call, cluster, &first, tile->last))
        do {
            call->ops->begin(call, cluster);
            meet_all(g, call, cluster, list, tile->slot);
            call->ops->end(call, cluster, sums);
        } while (call->ops->support && cluster->left);
}

/* A loop over the tiles. */
struct tile_loop {
    const struct sluice_grid *grid;
    const struct cpu_call *call;
    const struct tile *tile;
};

static void run_tiles(struct sluice_share *share, void *data)
{
    const struct tile_loop *loop = data;
    const unsigned mode = subnormal_begin();
    struct cpu_cluster cluster;
    struct cpu_list list;
    int64_t i;
    list.count = 0;
    list.mirror = 0;
    struct lane_sums sums = {.to = loop->call->sums};
    cluster.hits = 0;
    while (sluice_share_next(share, &i))
        run_tile(loop->grid, loop->call, &loop->tile[i], &cluster, &list, &sums);
    VARIANT(add_sums)(loop->call, &sums, cluster.hits);
    subnormal_end(mode);
}

sluice_status VARIANT(interact_tiled)(const struct sluice_backend *b, const struct sluice_grid *g,
                                      struct sluice_pass *pass, struct cpu_scratch *work)
{
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    const int64_t tiles = pass->target->count ? list_tiles(call.target_bins, NULL) : 0;
    if (tiles > 0) {
        SLUICE_TRY(cpu_scratch_reserve(work, (size_t)tiles * sizeof(struct tile)));
        list_tiles(call.target_bins, work->memory);
        struct tile_loop loop = {g, &call, work->memory};
        sluice_threads_run(b->team, tiles, run_tiles, &loop);
    }
    VARIANT(call_close)(&call, pass);
    return SLUICE_OK;
}
