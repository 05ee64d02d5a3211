/* The particles of a checkpoint: each rank reads a slice of the rows, and sends each row to the
 * ranks that need it. So no rank needs memory for all. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/domain.h"
#include "domain/slices.h"
#include "files/hdf5.h"
#include "domain/frame_counts.h"
#include "particles/id_order.h"
#include "snapshots/checkpoint.h"
#include "snapshots/checkpoint_state.h"

/* A dataset of a type's particles. */
struct column {
    const struct sluice_checkpoint *c;
    enum sluice_type type;
    hid_t memory_type;
    int columns; /* 0: rank 1 */
    int is_id;
    char path[SLUICE_STATE_PATH];
};

static struct column column_of(const struct sluice_checkpoint *c, enum sluice_type type,
                               const char *name, hid_t memory_type, int columns)
{
    struct column of = {.c = c, .type = type, .memory_type = memory_type, .columns = columns};
    sluice_state_path(of.path, sluice_type_names[type], name);
    return of;
}

/* The file has the indices of frames. */
static struct column field_of(const struct sluice_checkpoint *c, enum sluice_type type,
                              enum sluice_field field, int dimension)
{
    const int is_frame = field == SLUICE_FIELD_FRAME,
              components = is_frame ? 3 : sluice_field_components(field, dimension);
    struct column of = column_of(c, type, sluice_field_table[field].name,
                                 is_frame ? H5T_NATIVE_INT32
                                          : sluice_state_type(field, c->real_bytes),
                                 components > 1 ? components : 0);
    of.is_id = field == SLUICE_FIELD_ID;
    return of;
}

static size_t row_bytes(const struct column *of)
{
    return H5Tget_size(of->memory_type) * (size_t)(of->columns > 0 ? of->columns : 1);
}

static sluice_status read_as(const struct column *of, hid_t memory_type, int64_t first,
                             int64_t count, void *out)
{
    return sluice_checkpoint_named(of->c, sluice_hdf5_read_rows(of->c->file, of->path, memory_type,
                                                                of->c->count[of->type], of->columns,
                                                                first, count, out));
}

/* Reads ids of any program. HDF5 itself would cut off those that are too long for this one. */
static sluice_status read_ids(const struct column *of, int64_t first, int64_t count, sluice_id *out)
{
    uint64_t *stored;
    sluice_status status = SLUICE_OK;
    SLUICE_ALLOCATE(stored, count < SLUICE_SLICE_ROWS ? count : SLUICE_SLICE_ROWS, "ids");
    for (int64_t i = 0; i < count && status == SLUICE_OK; i++) {
        const int64_t k = i % SLUICE_SLICE_ROWS, left = count - i;
        if (k == 0)
            status = read_as(of, H5T_NATIVE_UINT64, first + i,
                             left < SLUICE_SLICE_ROWS ? left : SLUICE_SLICE_ROWS, stored);
        if (status == SLUICE_OK && stored[k] > SLUICE_ID_MAX)
            status = SLUICE_FAIL(
                SLUICE_IO,
                "%s: a %s particle has the id %llu, above " SLUICE_ID_MAX_TEXT SLUICE_ID_REMEDY,
                of->c->path, sluice_type_names[of->type], (unsigned long long)stored[k]);
        out[i] = (sluice_id)stored[k];
    }
    free(stored);
    return status;
}

/* Reads rows of this rank's slice; `first` is one of the file. */
static sluice_status read_rows(const struct column *of, int64_t first, int64_t count, void *out)
{
    return of->is_id ? read_ids(of, first, count, out)
                     : read_as(of, of->memory_type, first, count, out);
}

/* Collective: reads this rank's slice, and brings the rows that this rank needs: *rows, which the
 * caller frees. */
static sluice_status bring(const struct column *of, void **rows)
{
    const struct sluice_scatter *s = &of->c->scatter[of->type];
    const size_t bytes = row_bytes(of);
    char *slice, *held;
    *rows = NULL;
    SLUICE_ALLOCATE(slice, (size_t)s->count * bytes, "bytes of a checkpoint");
    *rows = slice;
    SLUICE_TRY(read_rows(of, s->first, s->count, slice));
    if (s->comm->size == 1)
        return SLUICE_OK;
    held = malloc((size_t)s->held * bytes + 1);
    *rows = held;
    const sluice_status status = held ? sluice_scatter_send(s, bytes, slice, held)
                                      : SLUICE_FAIL(SLUICE_DEVICE,
                                                    "no memory for %lld rows of a checkpoint",
                                                    (long long)s->held);
    free(slice);
    return status;
}

/* --- Which rank needs which particles --- */

/* This rank's slice of a type, piece by piece. */
struct walk {
    const struct sluice_checkpoint *c;
    const struct sluice_domain *domain; /* NULL: one rank */
    const struct sluice_grid *grid;
    enum sluice_type type;
    struct sluice_place *place; /* [SLUICE_SLICE_ROWS], as the others */
    int32_t (*frame)[3];
    double *position; /* reals of either size, with the mass */
};

static sluice_status read_places(const struct walk *w, int64_t first, int64_t n)
{
    const int dim = w->grid->dimension, bytes = w->c->real_bytes;
    const struct column frames = field_of(w->c, w->type, SLUICE_FIELD_FRAME, dim),
                        positions = field_of(w->c, w->type, SLUICE_FIELD_POSITION, dim);
    SLUICE_TRY(read_rows(&frames, first, n, w->frame));
    SLUICE_TRY(read_rows(&positions, first, n, w->position));
    for (int64_t i = 0; i < n; i++) {
        memcpy(w->place[i].frame, w->frame[i], sizeof w->frame[i]);
        for (int c = 0; c < 3; c++)
            w->place[i].offset[c] = c < dim ? sluice_real_at(w->position, bytes, (dim + 1) * i + c)
                                            : 0;
    }
    return SLUICE_OK;
}

/* Gets a piece of the slice, whose first row is `first` in the slice. */
typedef sluice_status piece_work(const struct walk *w, int64_t first, int64_t n, void *data);

static sluice_status walk_pieces(struct walk *w, piece_work *work, void *data)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct sluice_scatter *s = &w->c->scatter[t];
        w->type = (enum sluice_type)t;
        for (int64_t first = 0; first < s->count; first += SLUICE_SLICE_ROWS) {
            const int64_t left = s->count - first,
                          n = left < SLUICE_SLICE_ROWS ? left : SLUICE_SLICE_ROWS;
            SLUICE_TRY(read_places(w, s->first + first, n));
            SLUICE_TRY(work(w, first, n, data));
        }
    }
    return SLUICE_OK;
}

/* Collective: calls `work` for each piece. */
static sluice_status walk(const struct sluice_checkpoint *c, const struct sluice_domain *d,
                          const struct sluice_grid *g, piece_work *work, void *data)
{
    struct walk w = {.c = c, .domain = d, .grid = g};
    char *memory;
    SLUICE_ALLOCATE(
        memory, SLUICE_SLICE_ROWS * (sizeof *w.place + 4 * sizeof *w.position + sizeof *w.frame),
        "bytes of a checkpoint");
    w.place = (struct sluice_place *)(void *)memory;
    w.position = (double *)(void *)(w.place + SLUICE_SLICE_ROWS);
    w.frame = (int32_t(*)[3])(void *)(w.position + 4 * SLUICE_SLICE_ROWS);
    const sluice_status status = walk_pieces(&w, work, data);
    free(memory);
    return status;
}

/* The data that ranks need before they can divide the particles. */
struct survey {
    struct sluice_frame_counts frames;
    double (*sample)[3]; /* m from the centre of frame 0 */
    int64_t samples, capacity;
};

static sluice_status survey_piece(const struct walk *w, int64_t first, int64_t n, void *data)
{
    struct survey *s = data;
    const int64_t every = sluice_domain_sample_every(w->type, w->c->count),
                  row = w->c->scatter[w->type].first + first;
    for (int64_t i = (every - row % every) % every; w->domain && i < n; i += every) {
        SLUICE_GROW(s->sample, s->samples, s->capacity, "samples of particles");
        sluice_domain_place_of(w->grid, &w->place[i], s->sample[s->samples++]);
    }
    return sluice_frame_counts_add(&s->frames, w->type, w->place, n);
}

/* The table has the frames of all ranks. */
static sluice_status set_frames(const struct survey *s, struct sluice_comm *comm,
                                struct sluice_grid *g)
{
    int32_t(*own)[3];
    void *all = NULL;
    size_t bytes = 0;
    SLUICE_TRY(sluice_frame_counts_list(&s->frames, &own));
    sluice_status status = sluice_comm_gather(comm, own, (size_t)s->frames.used * sizeof *own, 1,
                                              &all, &bytes);
    free(own);
    if (status == SLUICE_OK)
        status = sluice_grid_set_frames(g, (const int32_t(*)[3])all,
                                        (int64_t)(bytes / sizeof *own));
    free(all);
    return status;
}

static sluice_status cut(const struct survey *s, struct sluice_domain *d)
{
    void *all;
    size_t bytes;
    SLUICE_TRY(sluice_comm_gather(d->comm, s->sample, (size_t)s->samples * sizeof *s->sample, 1,
                                  &all, &bytes));
    const sluice_status status = sluice_domain_cut(d, (const double(*)[3])all,
                                                   (int64_t)(bytes / sizeof *s->sample));
    free(all);
    return status;
}

static sluice_status list_piece(const struct walk *w, int64_t first, int64_t n, void *data)
{
    struct sluice_checkpoint *c = data;
    const struct sluice_regions *regions = &w->domain->regions;
    for (int64_t i = 0; i < n; i++) {
        double x[3] = {0};
        sluice_domain_place_of(w->grid, &w->place[i], x);
        for (int r = 0; r < regions->ranks; r++)
            if (w->type == SLUICE_GHOST || sluice_regions_is_near(regions, r, x))
                SLUICE_TRY(sluice_scatter_add(&c->scatter[w->type], r, first + i));
    }
    return SLUICE_OK;
}

/* Makes the table of frames and the cuts. */
static sluice_status survey_all(const struct sluice_checkpoint *c, struct sluice_domain *d,
                                struct sluice_grid *g)
{
    struct survey s = {0};
    sluice_status status = walk(c, d, g, survey_piece, &s);
    if (status == SLUICE_OK)
        status = sluice_checkpoint_named(c, set_frames(&s, c->scatter[0].comm, g));
    if (status == SLUICE_OK && d)
        status = cut(&s, d);
    sluice_frame_counts_destroy(&s.frames);
    free(s.sample);
    return status;
}

sluice_status sluice_checkpoint_divide(struct sluice_checkpoint *c, struct sluice_domain *d,
                                       struct sluice_grid *g, int64_t held[SLUICE_TYPE_COUNT])
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        sluice_scatter_destroy(&c->scatter[t]);
        SLUICE_TRY(sluice_scatter_begin(&c->scatter[t], sluice_world(), c->count[t]));
    }
    SLUICE_TRY(survey_all(c, d, g));
    if (d)
        SLUICE_TRY(walk(c, d, g, list_piece, c));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        if (d)
            SLUICE_TRY(sluice_scatter_end(&c->scatter[t]));
        held[t] = c->scatter[t].held;
    }
    return SLUICE_OK;
}

/* --- The sets --- */

/* The set must have the fields, precision and size of the one that was written. */
static sluice_status check_set(const struct sluice_checkpoint *c, const struct sluice_set *set)
{
    const char *type = sluice_type_names[set->type];
    const int64_t held = c->scatter[set->type].held;
    SLUICE_CHECK(set->real_bytes == c->real_bytes, SLUICE_IO,
                 "%s: was written with reals of %d bytes, the run has %d; backend.precision cannot "
                 "change at a restart",
                 c->path, c->real_bytes, set->real_bytes);
    SLUICE_CHECK(set->count == held, SLUICE_IO,
                 "internal: memory for %lld %s particles, this rank needs %lld of %s",
                 (long long)set->count, type, (long long)held, c->path);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        char path[SLUICE_STATE_PATH];
        if (sluice_field_table[f].life != SLUICE_LIFE_STATE || c->count[set->type] == 0)
            continue;
        sluice_state_field_path(path, set, (enum sluice_field)f);
        const int stored = H5Lexists(c->file, path, H5P_DEFAULT) > 0,
                  wanted = set->field[f] != NULL;
        SLUICE_CHECK(stored == wanted, SLUICE_IO,
                     "%s: field '%s' of the %s particles is %s, but this run %s it", c->path,
                     sluice_field_table[f].name, type, stored ? "there" : "missing",
                     wanted ? "needs" : "does not have");
    }
    return SLUICE_OK;
}

/* Converts frame indices to slots of this process's table, in place. */
static void find_slots(const struct sluice_grid *g, void *rows, int64_t n)
{
    const int32_t(*index)[3] = (const int32_t(*)[3])rows;
    uint32_t *slot = rows;
    for (int64_t i = 0; i < n; i++) {
        int32_t frame[3];
        memcpy(frame, index[i], sizeof frame);
        slot[i] = (uint32_t)sluice_grid_find_frame(g, frame);
    }
}

/* Brings `rows` into the order, if there is one. */
static sluice_status reorder(void **rows, const uint32_t *order, int64_t n, size_t bytes)
{
    char *ordered;
    if (!order)
        return SLUICE_OK;
    SLUICE_ALLOCATE(ordered, (size_t)n * bytes, "bytes of a checkpoint");
    sluice_reorder(NULL, ordered, *rows, order, n, bytes);
    free(*rows);
    *rows = ordered;
    return SLUICE_OK;
}

static sluice_status read_field(const struct sluice_checkpoint *c, struct sluice_backend *b,
                                const struct sluice_grid *g, const struct sluice_set *set,
                                enum sluice_field field, const uint32_t *order)
{
    const int is_frame = field == SLUICE_FIELD_FRAME;
    const size_t bytes = (size_t)sluice_set_field_bytes(set, field);
    const struct column of = field_of(c, set->type, field, set->dimension);
    void *rows;
    sluice_status status = bring(&of, &rows);
    if (status == SLUICE_OK && is_frame)
        find_slots(g, rows, set->count);
    if (status == SLUICE_OK)
        status = reorder(&rows, order, set->count, bytes);
    if (status == SLUICE_OK && set->count > 0)
        status = b->ops->upload(b, set->field[field], rows, (size_t)set->count * bytes);
    free(rows);
    return status;
}

sluice_status sluice_checkpoint_read_sets(const struct sluice_checkpoint *c,
                                          struct sluice_backend *b, const struct sluice_grid *g,
                                          struct sluice_set *const *sets, int n,
                                          uint32_t *const order[SLUICE_TYPE_COUNT])
{
    for (int s = 0; s < n; s++)
        SLUICE_TRY(check_set(c, sets[s]));
    for (int s = 0; s < n; s++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (c->count[sets[s]->type] > 0 && sets[s]->field[f] != NULL &&
                sluice_field_table[f].life == SLUICE_LIFE_STATE)
                SLUICE_TRY(read_field(c, b, g, sets[s], (enum sluice_field)f,
                                      order ? order[sets[s]->type] : NULL));
    return SLUICE_OK;
}

/* Adds the digest of the rows from `first` to `last` - 1; `id` can hold SLUICE_SLICE_ROWS. */
static sluice_status add_ids(const struct column *of, int64_t first, int64_t last, sluice_id *id,
                             uint64_t *digest)
{
    for (; first < last; first += SLUICE_SLICE_ROWS) {
        const int64_t n = last - first < SLUICE_SLICE_ROWS ? last - first : SLUICE_SLICE_ROWS;
        SLUICE_TRY(read_rows(of, first, n, id));
        *digest += sluice_digest_ids(id, n);
    }
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_digest_ids(const struct sluice_checkpoint *c, enum sluice_type type,
                                           uint64_t *digest)
{
    struct sluice_comm *world = sluice_world();
    const struct column ids = field_of(c, type, SLUICE_FIELD_ID, 0);
    const int64_t rows = c->count[type];
    sluice_id *id;
    SLUICE_ALLOCATE(id, SLUICE_SLICE_ROWS, "ids of particles");
    *digest = 0;
    const sluice_status status = add_ids(&ids, sluice_slice_first(world, rows, world->rank),
                                         sluice_slice_first(world, rows, world->rank + 1), id,
                                         digest);
    free(id);
    SLUICE_TRY(status);
    return world->ops->sum(world, (int64_t *)digest, 1);
}

/* --- The order of the last sort --- */

/* A particle, and where the last sort put it. */
struct entry {
    struct sluice_sorted sorted;
    int32_t frame[2]; /* in y and z */
    uint32_t number;  /* by id */
};

/* Frames go by z, then y; rows of a frame by z, then y; then x. */
static int by_sort(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    const int32_t less[6] = {p->frame[1],     p->frame[0],       p->sorted.row_z,
                             p->sorted.row_y, p->sorted.frame_x, p->sorted.place},
                  more[6] = {q->frame[1],     q->frame[0],       q->sorted.row_z,
                             q->sorted.row_y, q->sorted.frame_x, q->sorted.place};
    for (int k = 0; k < 6; k++)
        if (less[k] != more[k])
            return less[k] < more[k] ? -1 : 1;
    return 0;
}

/* Brings n entries into the order of the sort. */
static sluice_status sort_entries(struct sluice_sorted *sorted, uint32_t *order, int64_t n,
                                  const int bits[2])
{
    struct entry *entry;
    SLUICE_ALLOCATE(entry, n, "places of the last sort");
    for (int64_t k = 0; k < n; k++)
        entry[k] = (struct entry){
            sorted[k], {sorted[k].row_y >> bits[0], sorted[k].row_z >> bits[1]}, (uint32_t)k};
    qsort(entry, (size_t)n, sizeof *entry, by_sort);
    for (int64_t k = 0; k < n; k++) {
        sorted[k] = entry[k].sorted;
        order[k] = entry[k].number;
    }
    free(entry);
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_read_order(const struct sluice_checkpoint *c,
                                           const struct sluice_set *set, const int bits[2],
                                           struct sluice_sorted **sorted, uint32_t **order)
{
    const struct column of = column_of(c, set->type, SLUICE_STATE_ORDER, H5T_NATIVE_INT32,
                                       SLUICE_STATE_ORDER_COLUMNS);
    void *rows;
    _Static_assert(sizeof **sorted == SLUICE_STATE_ORDER_COLUMNS * sizeof(int32_t), "one each");
    SLUICE_CHECK(H5Lexists(c->file, of.path, H5P_DEFAULT) > 0, SLUICE_IO,
                 "%s: has no %s, though its particles have drifted since they were sorted", c->path,
                 of.path);
    const sluice_status status = bring(&of, &rows);
    *sorted = rows;
    if (status != SLUICE_OK || !rows)
        return status;
    SLUICE_ALLOCATE(*order, set->count, "places of the last sort");
    return sort_entries(*sorted, *order, set->count, bits);
}
