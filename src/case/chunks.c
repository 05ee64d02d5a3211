/* The particles of a case, made chunk by chunk from the shapes, a lattice, or a file. */
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "kernels/registry.h"

enum {
    CHUNK = 1 << 18,
    BLOCK = 1 << 14,
    FEW = 100000 /* starting threads takes longer than filling so many particles */
};

/* --- Memory --- */

static sluice_status allocate(struct sluice_start *s, int64_t n, int moves, int has_offset)
{
    SLUICE_ALLOCATE(s->id, n, "particles of the start");
    SLUICE_ALLOCATE(s->place, n, "particles of the start");
    SLUICE_ALLOCATE(s->velocity, n, "particles of the start");
    SLUICE_ALLOCATE(s->density, n, "particles of the start");
    SLUICE_ALLOCATE(s->mass, n, "particles of the start");
    if (moves)
        SLUICE_ALLOCATE(s->motion, n, "motions of wall particles");
    if (has_offset)
        SLUICE_ALLOCATE(s->offset, n, "offsets of ghost nodes");
    return SLUICE_OK;
}

void sluice_start_destroy(struct sluice_start *s)
{
    free(s->id);
    free(s->place);
    free(s->velocity);
    free(s->density);
    free(s->mass);
    free(s->motion);
    free(s->offset);
    memset(s, 0, sizeof *s);
}

static int has_ghosts(const struct sluice_case *c)
{
    return sluice_config_walls_have(c->config, SLUICE_WALL_GHOSTS);
}

static sluice_status allocate_type(const struct sluice_case *c, enum sluice_type type,
                                   struct sluice_start *s, int64_t n)
{
    return allocate(s, n, type != SLUICE_FLUID && c->physics.walls_move,
                    type == SLUICE_WALL && has_ghosts(c));
}

/* --- One particle after the other --- */

struct filler {
    const struct sluice_case_builder *b;
    struct sluice_case_builder *first; /* b in the first pass, which counts; then NULL */
    enum sluice_type type;
    int phase;         /* of shapes of fluid: only those of this one */
    sluice_id next_id; /* of the geometry's particles */
    double (*x)[3];    /* [chunk.count] m */
    struct sluice_start chunk;
    int64_t room, done; /* particles that fit into the chunk; of earlier chunks */
    struct sluice_threads *team;
    sluice_case_work *work; /* NULL: particles are only counted */
    void *data;
    sluice_status status;
};

static void place_blocks(struct sluice_share *share, void *data)
{
    const struct filler *f = data;
    int64_t i, end;
    while (sluice_share_block(share, f->chunk.count, BLOCK, &i, &end))
        for (; i < end; i++)
            sluice_grid_place(&f->b->grid, f->x[i], &f->chunk.place[i]);
}

/* Hands the chunk on, and begins the next one. */
static void finish_chunk(struct filler *f)
{
    struct sluice_start *s = &f->chunk;
    if (f->status == SLUICE_OK && f->work && s->count > 0) {
        sluice_threads_run(f->team, sluice_blocks(s->count, BLOCK), place_blocks, f);
        if (f->b->has_state)
            f->status = sluice_case_set_state(f->b, f->type, s, f->done, f->team);
        if (f->status == SLUICE_OK)
            f->status = f->work(f->data, s, f->done, f->team);
    }
    f->done += s->count;
    s->count = 0;
}

/* Adds a particle, at rest. Returns its index in the chunk. */
static int64_t add_particle(struct filler *f, sluice_id id, const double x[3], double mass)
{
    struct sluice_start *s = &f->chunk;
    if (s->count == f->room)
        finish_chunk(f);
    const int64_t i = s->count++;
    s->id[i] = id;
    s->mass[i] = mass;
    s->density[i] = 0;
    memset(s->velocity[i], 0, sizeof s->velocity[i]);
    memcpy(f->x[i], x, sizeof f->x[i]);
    return i;
}

/* Extends the reach of a motion to the distance of x from its axis. */
static void extend_motion(struct sluice_case_builder *b, int motion, const double x[3])
{
    const struct sluice_motion *m = &b->config->motions[motion];
    double d2 = 0;
    for (int c = 0; c < b->config->dimension; c++)
        if (c != m->axis || b->config->dimension == 2)
            d2 += (x[c] - m->centre[c]) * (x[c] - m->centre[c]);
    b->c->physics.motion_reach[motion] = fmax(b->c->physics.motion_reach[motion], sqrt(d2));
}

/* Sets the motion of particle i of the chunk; -1: it stays at rest. */
static void set_motion(struct filler *f, int64_t i, int motion, const double x[3])
{
    if (!f->chunk.motion)
        return;
    f->chunk.motion[i] = 1 + (uint32_t)motion;
    if (motion >= 0 && f->first && f->type == SLUICE_WALL)
        extend_motion(f->first, motion, x);
}

/* --- From shapes and lattices --- */

static void count_displaced(struct filler *f, struct sluice_case_displaced *d, int shape)
{
    d->count[f->type]++;
    d->fluid_mass += f->type == SLUICE_FLUID ? sluice_case_mass_of(f->b, f->phase) : 0;
    f->b->c->shapes[shape].particles--;
    f->b->c->shapes[shape].displaced++;
}

/* Whether particles of the file displace this one. */
static int is_displaced(struct filler *f, int shape, const double x[3])
{
    const struct sluice_case_builder *b = f->b;
    const int replaced = sluice_case_is_replaced(b, shape);
    if (!replaced && !(b->body.lists.count && sluice_wall_body_holds(&b->body, x)))
        return 0;
    if (f->first)
        count_displaced(f, replaced ? &f->first->replaced : &f->first->inside, shape);
    return 1;
}

/* The image of a wall particle in the walls' surface. */
static void mirror(const struct filler *f, int shape, const double x[3], double ghost[3])
{
    if (f->b->fit)
        sluice_fit_mirror(f->b->fit, shape, x, ghost);
    else
        sluice_geometry_mirror(&f->b->c->geometry, shape, x, ghost);
}

static void add_of_shape(void *data, int shape, const double x[3])
{
    struct filler *f = data;
    const struct sluice_case_builder *b = f->b;
    const struct sluice_shape *of = &b->config->shapes[shape];
    const int ghosts = f->work && (f->type == SLUICE_GHOST || f->chunk.offset);
    double ghost[3];
    if (of->type == SLUICE_SHAPE_FLUID && (of->phase == 2) != (f->phase == 2))
        return;
    if (b->file.count && is_displaced(f, shape, x))
        return;
    if (f->first)
        sluice_groups_begin(&b->c->groups, f->next_id, b->shape_group[shape]);
    if (ghosts)
        mirror(f, shape, x, ghost);
    const int64_t i = add_particle(f, f->next_id++, f->type == SLUICE_GHOST ? ghost : x,
                                   sluice_case_mass_of(b, f->phase));
    set_motion(f, i, sluice_motions_find(b->config, of->motion), x);
    for (int a = 0; a < 3 && ghosts && f->chunk.offset; a++)
        f->chunk.offset[i][a] = x[a] - ghost[a];
}

static void visit(struct filler *f)
{
    const int type = f->type == SLUICE_FLUID ? SLUICE_SHAPE_FLUID : SLUICE_SHAPE_WALL;
    if (f->b->fit)
        sluice_fit_visit(f->b->fit, type, add_of_shape, f);
    else
        sluice_geometry_visit(&f->b->c->geometry, type, add_of_shape, f);
}

/* The second fluid comes after the first: its ids say which it is. A ghost node comes when its wall
 * particle would. */
static void fill_from_shapes(struct filler *f)
{
    visit(f);
    if (f->type != SLUICE_FLUID || !f->b->c->physics.wcsph.second)
        return;
    if (f->first)
        f->b->c->physics.wcsph.second_from = f->next_id;
    f->phase = 2;
    visit(f);
}

static void fill_from_lattice(struct filler *f)
{
    for (int64_t i = 0; i < (int64_t)f->b->lattice.count; i++) {
        double x[3];
        sluice_lattice_site(&f->b->lattice, i, x);
        if (f->first)
            sluice_groups_begin(&f->b->c->groups, f->next_id, 0);
        add_particle(f, f->next_id++, x, f->b->particle_mass);
    }
}

/* --- From a file --- */

static double density_of(const struct sluice_case_builder *b, const struct sluice_particle_row *row)
{
    const struct wcsph_params *p = &b->c->physics.wcsph,
                              *own = row->type == SLUICE_FLUID ? wcsph_of(p, row->id) : p;
    if (b->config->model == SLUICE_MODEL_LJ)
        return 0;
    return b->file.has_density    ? row->density / own->rho0 - 1
           : b->file.has_pressure ? sluice_wcsph_relative_density(own, row->pressure)
                                  : 0;
}

static void fill_from_file(struct filler *f)
{
    const struct sluice_case_builder *b = f->b;
    for (int64_t k = 0; k < b->file.count; k++) {
        const struct sluice_particle_row *row = &b->file.row[k];
        if (row->type != f->type)
            continue;
        const int64_t i = add_particle(
            f, row->id, row->x, b->file.has_mass ? row->mass : sluice_case_mass_of(b, row->phase));
        memcpy(f->chunk.velocity[i], row->velocity, sizeof row->velocity);
        f->chunk.density[i] = b->has_state ? density_of(b, row) : 0;
        set_motion(f, i, b->row_motion[sluice_case_row_group(b, row)], row->x);
    }
}

/* --- All --- */

/* The file's particles come first, then the shapes' or the lattice's. */
static sluice_status make_chunks(struct filler *f, int64_t most)
{
    f->room = most < CHUNK ? most : CHUNK;
    SLUICE_TRY(allocate_type(f->b->c, f->type, &f->chunk, f->room));
    SLUICE_ALLOCATE(f->x, f->room, "particles of the start");
    fill_from_file(f);
    if (f->b->config->shape_count > 0)
        fill_from_shapes(f);
    if (f->b->config->lattice.used && f->type == SLUICE_FLUID)
        fill_from_lattice(f);
    finish_chunk(f);
    return f->status;
}

static sluice_status fill(struct filler *f, int64_t most)
{
    const sluice_status status = most > 0 ? make_chunks(f, most) : SLUICE_OK;
    free(f->x);
    sluice_start_destroy(&f->chunk);
    return status;
}

sluice_status sluice_case_count(struct sluice_case_builder *b, enum sluice_type type, int64_t most,
                                sluice_id *next_id)
{
    struct filler f = {.b = b, .first = b, .type = type, .next_id = *next_id};
    b->first_id[type] = *next_id;
    SLUICE_TRY(fill(&f, most));
    b->c->start[type].count = f.done;
    *next_id = f.next_id;
    return SLUICE_OK;
}

/* Particles that are held, as chunks. */
static sluice_status visit_held(const struct sluice_start *all, sluice_case_work *work, void *data,
                                struct sluice_threads *team)
{
    for (int64_t first = 0; first < all->count; first += CHUNK) {
        const struct sluice_start chunk = {
            .count = all->count - first < CHUNK ? all->count - first : CHUNK,
            .id = all->id + first,
            .place = all->place + first,
            .velocity = all->velocity + first,
            .density = all->density + first,
            .mass = all->mass + first,
            .motion = all->motion ? all->motion + first : NULL,
            .offset = all->offset ? all->offset + first : NULL,
        };
        SLUICE_TRY(work(data, &chunk, first, team));
    }
    return SLUICE_OK;
}

sluice_status sluice_case_each(const struct sluice_case *c, enum sluice_type type,
                               sluice_case_work *work, void *data)
{
    const struct sluice_start *all = &c->start[type];
    struct sluice_threads *team = NULL;
    sluice_status status = SLUICE_OK;
    if (all->count > FEW)
        SLUICE_TRY(sluice_threads_create(&team, sluice_config_threads(c->config)));
    if (all->id) {
        status = visit_held(all, work, data, team);
    } else if (all->count > 0) {
        struct filler f = {.b = c->builder, .type = type, .next_id = c->builder->first_id[type]};
        f.team = team;
        f.work = work;
        f.data = data;
        status = fill(&f, all->count);
    }
    sluice_threads_destroy(&team);
    return status;
}

/* --- Particles that are held --- */

static sluice_status keep(void *data, const struct sluice_start *chunk, int64_t first,
                          struct sluice_threads *team)
{
    const struct sluice_start *all = data;
    const size_t n = (size_t)chunk->count;
    (void)team;
    memcpy(all->id + first, chunk->id, n * sizeof *chunk->id);
    memcpy(all->place + first, chunk->place, n * sizeof *chunk->place);
    memcpy(all->velocity + first, chunk->velocity, n * sizeof *chunk->velocity);
    memcpy(all->density + first, chunk->density, n * sizeof *chunk->density);
    memcpy(all->mass + first, chunk->mass, n * sizeof *chunk->mass);
    if (chunk->motion)
        memcpy(all->motion + first, chunk->motion, n * sizeof *chunk->motion);
    if (chunk->offset)
        memcpy(all->offset + first, chunk->offset, n * sizeof *chunk->offset);
    return SLUICE_OK;
}

sluice_status sluice_case_hold(struct sluice_case *c)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++) {
        struct sluice_start all = {.count = c->start[type].count};
        sluice_status status = allocate_type(c, type, &all, all.count);
        if (status == SLUICE_OK)
            status = sluice_case_each(c, type, keep, &all);
        if (status != SLUICE_OK) {
            sluice_start_destroy(&all);
            return status;
        }
        c->start[type] = all;
    }
    sluice_case_builder_destroy(&c->builder);
    return SLUICE_OK;
}
