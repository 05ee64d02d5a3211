#include "probes/split_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum { BOXES = 24 }; /* around wall particles with split forces */

/* The reals that the pair "reaction" reads. */
static const sluice_fields side_fields = SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) |
                                         SLUICE_BIT(EOS) | SLUICE_BIT(PUSH) | SLUICE_BIT(STRESS) |
                                         SLUICE_BIT(FRICTION) | SLUICE_BIT(VELOCITY) |
                                         SLUICE_BIT(HAS_FRICTION);

/* --- Creation --- */

sluice_status sluice_force_split_create(struct sluice_force_split *s, const struct sluice_case *c)
{
    const struct sluice_config *config = c->config;
    memset(s, 0, sizeof *s);
    s->setup = c;
    SLUICE_ALLOCATE(s->fixed, c->groups.count, "groups");
    SLUICE_ALLOCATE(s->mixed, c->start[SLUICE_WALL].count, "wall particles under probes");
    SLUICE_ALLOCATE(s->box, 1 + config->motion_count, "motions");
    for (int i = 0; i <= config->motion_count; i++)
        for (int a = 0; a < 3; a++) {
            s->box[i][0][a] = INFINITY;
            s->box[i][1][a] = -INFINITY;
        }
    s->image_count = sluice_near_images(&c->grid, s->image);
    if (config->particles[0] || !c->geometry.box)
        return SLUICE_OK;
    for (int k = 0; k < config->shape_count; k++) {
        char name[SLUICE_TEXT_MAX];
        const int group = sluice_groups_find(&c->groups, sluice_config_group(config, k, name));
        if (group >= 0 && config->shapes[k].body)
            s->fixed[group] = 1;
    }
    SLUICE_TRY(sluice_wall_surfaces_create(&s->surfaces, c, 2.5 * c->cutoff));
    for (int m = 0; m < config->motion_count; m++)
        s->moves |= s->surfaces.moves[m];
    s->used = s->moves;
    return SLUICE_OK;
}

void sluice_force_split_destroy(struct sluice_force_split *s)
{
    sluice_wall_surfaces_destroy(&s->surfaces);
    sluice_fetch_destroy(&s->fluid);
    free(s->mixed);
    free(s->fixed);
    free(s->box);
    free(s->list);
    free(s->memory);
    free(s->near.entry);
    free(s->ahead);
    sluice_force_split_destroy_buffers(s);
    free(s->part);
    memset(s, 0, sizeof *s);
}

int sluice_force_split_mixes(const struct sluice_force_split *s, int group, const double x[3])
{
    const double reach = s->setup->cutoff;
    struct sluice_wall_near near;
    if (!s->surfaces.group || s->fixed[group])
        return 0;
    sluice_wall_surfaces_near(&s->surfaces, x, &near);
    for (int k = 0; k < 2 && near.depth < reach; k++)
        if (near.group[k] >= 0 && near.group[k] != group && near.distance[k] < reach)
            return 1;
    return 0;
}

void sluice_force_split_note(struct sluice_force_split *s, int64_t k, uint32_t motion, int mixes,
                             const double x[3])
{
    const int number = motion && (int)motion <= s->setup->config->motion_count ? (int)motion : 0;
    if (!s->surfaces.group || (motion && !number))
        return;
    s->mixed[k] = (unsigned char)(number == 0 && mixes);
    for (int a = 0; a < 3 && (number || s->mixed[k]); a++) {
        s->box[number][0][a] = fmin(s->box[number][0][a], x[a]);
        s->box[number][1][a] = fmax(s->box[number][1][a], x[a]);
    }
    s->used |= s->mixed[k];
}

/* --- Where they are --- */

void sluice_force_split_move(struct sluice_force_split *s, double time)
{
    if (s->used)
        sluice_wall_surfaces_move(&s->surfaces, time);
}

int sluice_force_split_boxes(const struct sluice_force_split *s, struct sluice_box *box)
{
    const double margin = s->setup->cutoff + s->setup->config->spacing;
    int n = 0;
    for (int i = 0; i <= s->setup->config->motion_count && s->used; i++) {
        double now[2][3], from[2][3];
        if (s->box[i][0][0] > s->box[i][1][0])
            continue;
        memcpy(from, s->box[i], sizeof from);
        memcpy(now, from, sizeof now);
        if (i > 0)
            sluice_motions_carry_box(&s->setup->physics.motions, i - 1, &s->surfaces.now[i - 1],
                                     from, now);
        for (int a = 0; a < 3; a++) {
            box[n].low[a] = now[0][a] - margin;
            box[n].high[a] = now[1][a] + margin;
        }
        n++;
    }
    return n;
}

static void place_of(const struct sluice_fetch *fetch, const struct sluice_grid *g, int64_t n,
                     double x[3])
{
    const int dim = g->dimension;
    const int slot = (int)((const uint32_t *)fetch->field[SLUICE_FIELD_FRAME])[n];
    x[2] = 0;
    for (int a = 0; a < dim; a++)
        x[a] = sluice_grid_centre(g, slot, a) + sluice_real_at(fetch->field[SLUICE_FIELD_POSITION],
                                                               fetch->set->real_bytes,
                                                               (dim + 1) * n + a);
}

enum { BLOCK = 64 }; /* places that a thread looks at, at a time */

static void test_listed(struct sluice_share *share, void *data)
{
    struct sluice_force_split *s = data;
    int64_t k, end;
    while (sluice_share_block(share, s->count, BLOCK, &k, &end))
        for (; k < end; k++) {
            struct sluice_mixed_wall *w = &s->list[k];
            if (!s->mixed[w->wall] && !sluice_force_split_mixes(s, w->group, w->x))
                w->fetched = -1;
        }
}

/* Lists the mixed walls at rest, and where walls move, all that mix now. */
static sluice_status list_mixed(struct sluice_force_split *s, const struct sluice_grid *g,
                                const struct sluice_fetch *walls, const sluice_id *index,
                                struct sluice_threads *team)
{
    int64_t kept = 0;
    s->count = 0;
    for (int64_t k = 0; k < s->setup->start[SLUICE_WALL].count; k++) {
        if (!index[k] || !(s->mixed[k] || s->moves))
            continue;
        struct sluice_mixed_wall w = {.wall = k, .fetched = (int64_t)index[k] - 1};
        w.group = sluice_force_group(s->setup, walls, w.fetched);
        place_of(walls, g, w.fetched, w.x);
        SLUICE_GROW(s->list, s->count, s->capacity, "wall particles with split forces");
        s->list[s->count++] = w;
    }
    if (s->moves)
        sluice_threads_run(team, sluice_blocks(s->count, BLOCK), test_listed, s);
    for (int64_t k = 0; k < s->count; k++)
        if (s->list[k].fetched >= 0)
            s->list[kept++] = s->list[k];
    s->count = kept;
    return SLUICE_OK;
}

/* --- The fluid near them --- */

static void extend(struct sluice_box *box, const double x[3], double by)
{
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], x[a] - by);
        box->high[a] = fmax(box->high[a], x[a] + by);
    }
}

/* Boxes around the listed walls and all fluid within reach of them. They decide what is fetched,
 * and change no sum. */
static int around_walls(const struct sluice_force_split *s, struct sluice_box *box)
{
    const double reach = s->setup->cutoff * (1 + 1e-6), near = 3 * s->setup->cutoff;
    int n = 0;
    for (int64_t k = 0; k < s->count; k++) {
        const double *x = s->list[k].x;
        int at = 0, found = 0;
        while (at < n && !found) {
            found = 1;
            for (int a = 0; a < 3; a++)
                found &= x[a] > box[at].low[a] - near && x[a] < box[at].high[a] + near;
            at += !found;
        }
        if (at == BOXES)
            at = BOXES - 1;
        if (at == n)
            box[n++] = (struct sluice_box){{x[0], x[1], x[2]}, {x[0], x[1], x[2]}};
        extend(&box[at], x, reach);
    }
    return n;
}

/* The same boxes where periodic images of the fluid come from. */
static int with_images(const struct sluice_force_split *s, int boxes, struct sluice_box *box)
{
    int n = boxes;
    for (int k = 0; k < s->image_count; k++) {
        const double *shift = s->image[k].shift;
        if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0)
            continue;
        for (int i = 0; i < boxes; i++, n++)
            for (int a = 0; a < 3; a++) {
                box[n].low[a] = box[i].low[a] - shift[a];
                box[n].high[a] = box[i].high[a] - shift[a];
            }
    }
    return n;
}

static int by_place(const void *a, const void *b)
{
    const struct sluice_near_entry *x = a, *y = b;
    if (x->x[0] != y->x[0])
        return x->x[0] < y->x[0] ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->image - y->image;
}

static int is_in(const struct sluice_box *box, const double x[3], int dimension)
{
    int in = 1;
    for (int a = 0; a < dimension; a++)
        in &= x[a] >= box->low[a] && x[a] <= box->high[a];
    return in;
}

static void look_ahead(struct sluice_share *share, void *data)
{
    struct sluice_force_split *s = data;
    int64_t n, end;
    while (sluice_share_block(share, s->near.count, BLOCK, &n, &end))
        for (; n < end; n++)
            sluice_wall_surfaces_near(&s->surfaces, s->near.entry[n].x, &s->ahead[n]);
}

/* Lists the fluid and its images in the first boxes, by x. */
static sluice_status list_fluid(struct sluice_force_split *s, const struct sluice_grid *g,
                                const struct sluice_box *box, int boxes,
                                struct sluice_threads *team)
{
    const sluice_id *id = s->fluid.field[SLUICE_FIELD_ID];
    s->near.count = 0;
    for (int64_t n = 0; n < s->fluid.count; n++) {
        struct sluice_near_entry e = {.id = id[n], .particle = n};
        double x[3];
        place_of(&s->fluid, g, n, x);
        for (e.image = 0; e.image < s->image_count; e.image++) {
            int in = 0;
            for (int a = 0; a < 3; a++)
                e.x[a] = x[a] + s->image[e.image].shift[a];
            for (int k = 0; k < boxes && !in; k++)
                in = is_in(&box[k], e.x, g->dimension);
            if (in)
                SLUICE_TRY(sluice_near_add(&s->near, &e));
        }
    }
    if (s->near.count > 1)
        qsort(s->near.entry, (size_t)s->near.count, sizeof *s->near.entry, by_place);
    if (s->near.capacity > s->ahead_capacity) {
        free(s->ahead);
        s->ahead_capacity = 0;
        SLUICE_ALLOCATE(s->ahead, s->near.capacity, "particles near walls");
        s->ahead_capacity = s->near.capacity;
    }
    sluice_threads_run(team, sluice_blocks(s->near.count, BLOCK), look_ahead, s);
    return SLUICE_OK;
}

/* --- The numbers of both sides, as doubles --- */

/* Lays out the arrays of `count` particles of a fetch in memory; returns their length. */
static size_t lay_out(const struct sluice_fetch *fetch, size_t count, double *memory,
                      struct sluice_reaction_side *side)
{
    size_t used = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int has = (side_fields >> f & 1u) && fetch->field[f];
        side->field[f] = has ? memory + used : NULL;
        used += has ? count * (size_t)sluice_field_components((enum sluice_field)f,
                                                              fetch->set->dimension)
                    : 0;
    }
    return used;
}

static void copy_one(const struct sluice_fetch *fetch, int64_t from, int64_t to,
                     struct sluice_reaction_side *side)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int n = sluice_field_components((enum sluice_field)f, fetch->set->dimension);
        for (int c = 0; c < n && side->field[f]; c++)
            side->field[f][n * to + c] = sluice_real_at(fetch->field[f], fetch->set->real_bytes,
                                                        n * from + c);
    }
}

static sluice_status copy_sides(struct sluice_force_split *s, const struct sluice_fetch *walls)
{
    double none = 0;
    const size_t one = lay_out(walls, (size_t)s->count, &none, &s->walls),
                 other = lay_out(&s->fluid, (size_t)s->fluid.count, &none, &s->water);
    free(s->memory);
    SLUICE_ALLOCATE(s->memory, one + other, "numbers of split forces");
    lay_out(walls, (size_t)s->count, s->memory, &s->walls);
    lay_out(&s->fluid, (size_t)s->fluid.count, s->memory + one, &s->water);
    for (int64_t k = 0; k < s->count; k++)
        copy_one(walls, s->list[k].fetched, k, &s->walls);
    for (int64_t n = 0; n < s->fluid.count; n++)
        copy_one(&s->fluid, n, n, &s->water);
    s->water.phase = s->fluid.field[SLUICE_FIELD_PHASE];
    return SLUICE_OK;
}

sluice_status sluice_force_split_measure(struct sluice_force_split *s, struct sluice_backend *b,
                                         struct sluice_threads *team, const struct sluice_grid *g,
                                         struct sluice_set *fluid, const struct sluice_fetch *walls,
                                         const sluice_id *index)
{
    struct sluice_box box[BOXES * SLUICE_NEAR_IMAGES];
    s->parts = 0;
    if (!s->used)
        return SLUICE_OK;
    SLUICE_TRY(list_mixed(s, g, walls, index, team));
    const int boxes = around_walls(s, box);
    s->fluid.set = fluid;
    s->fluid.box = box;
    s->fluid.box_count = with_images(s, boxes, box);
    s->fluid.fields = SLUICE_SPLIT_FIELDS;
    if (boxes == 0)
        return SLUICE_OK;
    SLUICE_TRY(b->ops->fetch(b, g, &s->fluid));
    SLUICE_TRY(list_fluid(s, g, box, boxes, team));
    SLUICE_TRY(copy_sides(s, walls));
    return sluice_force_split_sum(s, team);
}
