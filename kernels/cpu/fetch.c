/* Particles for probes, frame by frame: most frames meet none of the boxes. */
#include <math.h>
#include <string.h>

#include "kernels/cpu/cpu_backend.h"

/* A frame that holds particles of the set. */
struct held_frame {
    int slot;
    int64_t first, count; /* its particles */
    double centre[3];
    double low[3], high[3]; /* m; a cutoff wider: particles may have moved since they were sorted */
};

static struct held_frame frame_at(const struct sluice_grid *g, const struct sluice_set *set,
                                  int slot)
{
    const struct cpu_frame_bins *bins = &set->bins->frame[slot];
    struct held_frame f = {.slot = slot, .count = bins->count};
    if (f.count)
        f.first = set->bins->start[bins->first_bin];
    for (int c = 0; c < g->dimension; c++) {
        const double reach = g->width[c] / 2 + g->cutoff;
        f.centre[c] = sluice_grid_centre(g, slot, c);
        f.low[c] = f.centre[c] - reach;
        f.high[c] = f.centre[c] + reach;
    }
    return f;
}

/* The coordinates of particle i, which was sorted into the frame. */
static void coordinates(const struct sluice_grid *g, const struct sluice_set *set,
                        const struct held_frame *f, int64_t i, double x[3])
{
    const void *position = set->field[SLUICE_FIELD_POSITION];
    const int slot = (int)((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i];
    for (int c = 0; c < g->dimension; c++) {
        const int64_t k = (g->dimension + 1) * i + c;
        const double centre = slot == f->slot ? f->centre[c] : sluice_grid_centre(g, slot, c);
        x[c] = centre + (set->real_bytes == 4 ? (double)((const float *)position)[k]
                                              : ((const double *)position)[k]);
    }
}

static int overlap(const struct sluice_box *box, const double low[3], const double high[3], int dim)
{
    for (int c = 0; c < dim; c++)
        if (box->high[c] < low[c] || box->low[c] > high[c])
            return 0;
    return 1;
}

/* Appends the particles of a frame that lie in any of the boxes; returns how many there are now. */
static int64_t list_frame(const struct sluice_grid *g, const struct sluice_fetch *fetch,
                          const struct held_frame *f, const struct sluice_box *box, int boxes,
                          uint32_t *index, int64_t count)
{
    for (int64_t i = f->first; i < f->first + f->count; i++) {
        double x[3];
        int k = 0;
        if (fetch->set->own && !fetch->set->own[i])
            continue;
        coordinates(g, fetch->set, f, i, x);
        while (k < boxes && !overlap(&box[k], x, x, g->dimension))
            k++;
        if (k < boxes)
            index[count++] = (uint32_t)i;
    }
    return count;
}

static void copy_entries(const struct sluice_fetch *fetch, int field, const uint32_t *index)
{
    const size_t bytes = (size_t)sluice_set_field_bytes(fetch->set, (enum sluice_field)field);
    const char *from = fetch->set->field[field];
    char *to = fetch->field[field];
    for (int64_t n = 0; n < fetch->count; n++)
        memcpy(to + (size_t)n * bytes, from + index[n] * bytes, bytes);
}

/* Scratch: the boxes that a frame meets, then the particles found. */
sluice_status cpu_fetch(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_fetch *fetch)
{
    struct cpu_backend *cpu = b->data;
    const struct sluice_set *set = fetch->set;
    const size_t boxes = (size_t)fetch->box_count * sizeof *fetch->box;
    int64_t count = 0;
    SLUICE_TRY(cpu_scratch_reserve(&cpu->work, boxes + (size_t)set->count * sizeof(uint32_t)));
    struct sluice_box *box = cpu->work.memory;
    uint32_t *index = (uint32_t *)(void *)((char *)cpu->work.memory + boxes);
    for (int slot = 0; set->bins && slot < set->bins->frame_count; slot++) {
        const struct held_frame f = frame_at(g, set, slot);
        int near = 0;
        for (int k = 0; f.count && k < fetch->box_count; k++)
            if (overlap(&fetch->box[k], f.low, f.high, g->dimension))
                box[near++] = fetch->box[k];
        if (near)
            count = list_frame(g, fetch, &f, box, near, index, count);
    }
    if (b->domain)
        return sluice_fetch_from_ranks(b, fetch, set, index, count);
    SLUICE_TRY(sluice_fetch_reserve(fetch, count));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fetch->field[f])
            copy_entries(fetch, f, index);
    return SLUICE_OK;
}

/* Frames from last to first: on every axis the first ones mostly come later, and are skipped. */
static double foremost(const struct sluice_grid *g, const struct sluice_set *set,
                       const struct sluice_foremost *of)
{
    const int up = g->dimension - 1;
    double best = -INFINITY;
    for (int slot = set->bins ? set->bins->frame_count - 1 : -1; slot >= 0; slot--) {
        const struct held_frame f = frame_at(g, set, slot);
        if (f.high[of->axis] <= best || f.high[up] <= of->above)
            continue;
        for (int64_t i = f.first; i < f.first + f.count; i++) {
            double x[3];
            if (set->own && !set->own[i])
                continue;
            coordinates(g, set, &f, i, x);
            if (x[of->axis] > best && x[up] > of->above)
                best = x[of->axis];
        }
    }
    return best;
}

sluice_status cpu_foremost(struct sluice_backend *b, const struct sluice_grid *g,
                           const struct sluice_set *set, struct sluice_foremost *of, int n)
{
    sluice_status status = SLUICE_OK;
    for (int k = 0; k < n; k++) {
        of[k].x = foremost(g, set, &of[k]);
        if (b->domain && status == SLUICE_OK)
            status = b->domain->comm->ops->max(b->domain->comm, &of[k].x, 1);
    }
    return status;
}
