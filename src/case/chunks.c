/* The particles of a case, made chunk by chunk from slabs. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "domain/comm.h"
#include "kernels/registry.h"

enum {
    CHUNK = 1 << 18,
    PIECES = 1 << 14, /* slabs of a chunk, at most */
    PIECES_A_BLOCK = 64,
    FEW = 100000 /* starting threads takes longer than filling so many particles */
};

/* --- Memory --- */

static sluice_status allocate_type(const struct sluice_case *c, enum sluice_type type,
                                   struct sluice_start *s, int64_t n)
{
    const int fluid = type == SLUICE_FLUID;
    SLUICE_ALLOCATE(s->id, n, "particles of the start");
    SLUICE_ALLOCATE(s->place, n, "particles of the start");
    SLUICE_ALLOCATE(s->velocity, n, "particles of the start");
    SLUICE_ALLOCATE(s->density, n, "particles of the start");
    SLUICE_ALLOCATE(s->mass, n, "particles of the start");
    if (c->config->model == SLUICE_MODEL_GAS)
        SLUICE_ALLOCATE(s->energy, n, "particles of the start");
    if (fluid && c->physics.wcsph.second)
        SLUICE_ALLOCATE(s->phase, n, "particles of the start");
    if (type != SLUICE_GHOST)
        SLUICE_ALLOCATE(s->group, n, "groups of particles");
    if (fluid && c->builder->level)
        SLUICE_ALLOCATE(s->shape, n, "shapes of particles");
    if (!fluid && c->physics.walls_move)
        SLUICE_ALLOCATE(s->motion, n, "motions of wall particles");
    if (type == SLUICE_WALL && wcsph_slips_differ(&c->physics.wcsph))
        SLUICE_ALLOCATE(s->has_friction, n, "slips of wall particles");
    if (!fluid && sluice_config_walls_have(c->config, SLUICE_WALL_GHOSTS))
        SLUICE_ALLOCATE(s->node, n, "numbers of ghost nodes");
    if (type == SLUICE_WALL && s->node)
        SLUICE_ALLOCATE(s->offset, n, "offsets of ghost nodes");
    return SLUICE_OK;
}

void sluice_start_destroy(struct sluice_start *s)
{
#define FREE(name) free(s->name);
    SLUICE_START_ARRAYS(FREE)
#undef FREE
    memset(s, 0, sizeof *s);
}

/* --- Chunks --- */

/* A slab, and where its particles come in the chunk. */
struct piece {
    const struct sluice_slab_source *source;
    int64_t slab, at;
    sluice_id id; /* of its first particle, if that is of the geometry */
};

/* A visit of the particles of a type, chunk by chunk. */
struct visitor {
    const struct sluice_case *c;
    enum sluice_type type;
    const struct sluice_case_visit *visit;
    struct sluice_threads *team;
    int64_t number; /* of the chunk */
    struct sluice_comm *world;
    /* For chunks that are made: */
    struct sluice_start chunk;
    int64_t capacity, first; /* particles; the first one's number in its type */
    struct piece *piece;     /* [pieces] */
    int64_t pieces;
};

/* Gets the state of work in turns from the rank of the chunk before, or hands it on to that of the
 * next one. */
static sluice_status pass_state(const struct visitor *v, int sends)
{
    const int64_t size = v->world->size, other = v->number + (sends ? 1 : size - 1);
    const struct sluice_message message = {
        .rank = (int)(other % size), .data = v->visit->state, .bytes = v->visit->bytes};
    return v->world->ops->exchange(v->world, &message, sends, &message, !sends);
}

static int is_mine(const struct visitor *v)
{
    return !v->visit->shared || v->number % v->world->size == v->world->rank;
}

/* Does the work on a chunk of this rank. */
static sluice_status work_on(const struct visitor *v, const struct sluice_start *chunk,
                             int64_t first)
{
    const struct sluice_case_visit *visit = v->visit;
    const int passes = visit->shared && v->world->size > 1,
              last = first + chunk->count == v->c->start[v->type].count;
    if (visit->loop) {
        *visit->chunk = chunk;
        sluice_threads_run(v->team, sluice_blocks(chunk->count, SLUICE_CASE_BLOCK), visit->loop,
                           visit->data);
    }
    if (visit->work)
        SLUICE_TRY(visit->work(visit->data, chunk, first, v->team));
    if (!visit->in_turn)
        return SLUICE_OK;
    if (passes && v->number > 0)
        SLUICE_TRY(pass_state(v, 0));
    SLUICE_TRY(visit->in_turn(visit->data, chunk, first, v->team));
    return passes && !last ? pass_state(v, 1) : SLUICE_OK;
}

/* --- Chunks that are made --- */

struct writer {
    const struct visitor *v;
    const struct sluice_slab_source *source;
    int64_t at;
    sluice_id id;
    double x[3]; /* of the last particle, and its place */
    struct sluice_place place;
};

/* Finds the place of x. Particles of a row of cells have y and z in common. */
static void find_place(struct writer *w, const double x[3])
{
    const struct sluice_grid *g = &w->v->c->builder->grid;
    for (int a = 0; a < g->dimension; a++)
        if (x[a] != w->x[a]) {
            w->x[a] = x[a];
            sluice_grid_place_along(g, a, x[a], &w->place);
        }
}

static double density_of(const struct sluice_case_builder *b, const struct sluice_particle_row *row)
{
    const struct wcsph_params *p = &b->c->physics.wcsph,
                              *own = row->type == SLUICE_FLUID ? wcsph_of(p, row->phase == 2) : p;
    if (b->config->model != SLUICE_MODEL_WCSPH || !b->has_state)
        return 0;
    return b->file.has_density    ? row->density / own->rho0 - 1
           : b->file.has_pressure ? sluice_wcsph_relative_density(own, row->pressure)
                                  : 0;
}

/* The image of a wall particle in the walls' surface. */
static void mirror(const struct sluice_case_builder *b, int shape, const double x[3],
                   double ghost[3])
{
    if (b->fit)
        sluice_fit_mirror(b->fit, shape, x, ghost);
    else
        sluice_geometry_mirror(&b->c->geometry, shape, x, ghost);
}

/* u of a pressure, J/kg. */
static double energy_of(const struct sluice_case_builder *b, double pressure, double density)
{
    return pressure / ((b->config->gas.gamma - 1) * density);
}

/* Sets the state of particle i of a start, of a gas. */
static void write_gas(const struct sluice_case_builder *b, const struct sluice_slab_particle *p,
                      const struct sluice_start *s, int64_t i)
{
    const struct sluice_shape *shape = p->row ? NULL : &b->config->shapes[p->shape];
    const double pressure = p->row ? p->row->pressure : shape->pressure,
                 energy = p->row ? p->row->energy : shape->energy;
    s->density[i] = p->row ? p->row->density : shape->density;
    s->energy[i] = pressure > 0 ? energy_of(b, pressure, s->density[i]) : energy;
    if (shape)
        memcpy(s->velocity[i], shape->velocity, sizeof shape->velocity);
}

/* Writes a particle, at rest unless the file says otherwise. A ghost node comes where its wall
 * particle would. */
static void write_particle(void *data, const struct sluice_slab_particle *p)
{
    struct writer *w = data;
    const struct sluice_case_builder *b = w->v->c->builder;
    const struct sluice_start *s = &w->v->chunk;
    const int64_t i = w->at++;
    const int is_node = w->v->type == SLUICE_GHOST;
    double ghost[3], moved[3];
    if (is_node || s->offset)
        mirror(b, p->shape, p->x, ghost);
    s->id[i] = p->row ? p->row->id : w->id++;
    s->mass[i] = p->mass;
    s->density[i] = p->row ? density_of(b, p->row) : 0;
    for (int a = 0; a < 3; a++)
        s->velocity[i][a] = p->row ? p->row->velocity[a] : 0;
    if (s->energy)
        write_gas(b, p, s, i);
    for (int a = 0; a < 3; a++) {
        if (s->offset)
            s->offset[i][a] = p->x[a] - ghost[a];
    }
    if (s->phase)
        s->phase[i] = (p->row ? p->row->phase : w->source->phase) == 2;
    if (s->group)
        s->group[i] = (uint32_t)sluice_case_group(b, p);
    if (s->node)
        s->node[i] = (uint32_t)(s->id[i] - b->first_id[SLUICE_WALL]);
    if (s->shape)
        s->shape[i] = p->row ? -1 : p->shape;
    if (s->motion)
        s->motion[i] = 1 + (uint32_t)p->motion;
    if (s->has_friction)
        s->has_friction[i] = sluice_case_slip(b, p) != SLUICE_SLIP_FREE;
    const struct sluice_rigid_body *body = s->motion && b->from_bodies > 0
                                               ? sluice_case_moved_body(b->c, p->motion)
                                               : NULL;
    if (body)
        sluice_pose_place(&body->start, body->centre, p->x, moved);
    find_place(w, is_node ? ghost : body ? moved : p->x);
    s->place[i] = w->place;
}

static void write_pieces(struct sluice_share *share, void *data)
{
    const struct visitor *v = data;
    int64_t k, end;
    while (sluice_share_block(share, v->pieces, PIECES_A_BLOCK, &k, &end))
        for (; k < end; k++) {
            const struct piece *p = &v->piece[k];
            struct writer w = {
                .v = v, .source = p->source, .at = p->at, .id = p->id, .x = {NAN, NAN, NAN}};
            sluice_slab_each(v->c->builder, v->type, p->source, p->slab, write_particle, &w);
            assert(w.at == (k + 1 < v->pieces ? v->piece[k + 1].at : v->chunk.count));
        }
}

static sluice_status make_chunk(struct visitor *v)
{
    sluice_threads_run(v->team, sluice_blocks(v->pieces, PIECES_A_BLOCK), write_pieces, v);
    if (v->c->builder->has_state)
        SLUICE_TRY(sluice_case_set_state(v->c->builder, v->type, &v->chunk, v->first, v->team));
    return work_on(v, &v->chunk, v->first);
}

/* Hands the chunk on, and begins the next one. */
static sluice_status finish_chunk(struct visitor *v)
{
    if (v->pieces > 0 && is_mine(v))
        SLUICE_TRY(make_chunk(v));
    v->number += v->pieces > 0;
    v->chunk.count = v->pieces = 0;
    return SLUICE_OK;
}

static int is_wanted(const struct visitor *v, const struct piece *p)
{
    double low[3], high[3];
    if (!v->visit->wants || (v->type != SLUICE_FLUID && v->c->builder->from_bodies > 0))
        return 1; /* bodies of a snapshot are elsewhere than their shapes */
    sluice_slab_extent(v->c->builder, p->source, p->slab, low, high);
    return v->visit->wants(v->visit->data, low, high);
}

static sluice_status visit_slabs(struct visitor *v)
{
    const struct sluice_case_builder *b = v->c->builder;
    const enum sluice_type cells = v->type == SLUICE_GHOST ? SLUICE_WALL : v->type;
    const struct sluice_slabs *slabs = &b->slabs[cells];
    struct piece p = {.source = slabs->source, .id = b->first_id[cells]};
    int64_t first = 0, n;
    for (; p.slab < slabs->count; p.slab++, first += n) {
        p.source = sluice_slab_source(slabs, p.slab, p.source);
        n = slabs->particles[p.slab];
        if (n > 0 && is_wanted(v, &p)) {
            if (v->chunk.count + n > v->capacity || v->pieces == PIECES)
                SLUICE_TRY(finish_chunk(v));
            if (v->pieces == 0)
                v->first = first;
            p.at = v->chunk.count;
            v->piece[v->pieces++] = p;
            v->chunk.count += n;
        }
        p.id += p.source->kind == SLUICE_SLABS_OF_FILE ? 0 : (sluice_id)n;
    }
    return finish_chunk(v);
}

static sluice_status reserve(struct visitor *v)
{
    const int64_t all = v->c->start[v->type].count;
    v->capacity = all < CHUNK ? all : CHUNK;
    SLUICE_TRY(allocate_type(v->c, v->type, &v->chunk, v->capacity));
    SLUICE_ALLOCATE(v->piece, PIECES, "slabs of a chunk");
    return SLUICE_OK;
}

static sluice_status visit_made(struct visitor *v)
{
    sluice_status status = reserve(v);
    if (status == SLUICE_OK)
        status = visit_slabs(v);
    free(v->piece);
    sluice_start_destroy(&v->chunk);
    return status;
}

/* --- All --- */

/* Particles that are held, as chunks. */
static sluice_status visit_held(struct visitor *v)
{
    const struct sluice_start *all = &v->c->start[v->type];
    for (int64_t first = 0; first < all->count; first += CHUNK, v->number++) {
        const struct sluice_start chunk = {.count = all->count - first < CHUNK ? all->count - first
                                                                               : CHUNK,
#define PART(name) .name = all->name ? all->name + first : NULL,
                                           SLUICE_START_ARRAYS(PART)
#undef PART
        };
        if (is_mine(v))
            SLUICE_TRY(work_on(v, &chunk, first));
    }
    return SLUICE_OK;
}

/* All ranks get the state of the rank that visited the last chunk. */
static sluice_status spread_state(const struct visitor *v)
{
    const size_t bytes = v->visit->bytes;
    const int64_t last = (v->number - 1) % v->world->size;
    void *all;
    size_t total;
    if (!v->visit->in_turn || v->world->size == 1 || v->number == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_comm_gather(v->world, v->visit->state, bytes, 1, &all, &total));
    memcpy(v->visit->state, (const char *)all + (size_t)last * bytes, bytes);
    free(all);
    return SLUICE_OK;
}

sluice_status sluice_case_visit(const struct sluice_case *c, enum sluice_type type,
                                const struct sluice_case_visit *visit)
{
    struct visitor v = {.c = c, .type = type, .visit = visit, .world = sluice_world()};
    sluice_status status = SLUICE_OK;
    if (c->start[type].count > FEW)
        SLUICE_TRY(sluice_threads_create(
            &v.team, sluice_config_threads(c->config, sluice_world()->sharing)));
    if (c->start[type].id)
        status = visit_held(&v);
    else if (c->start[type].count > 0)
        status = visit_made(&v);
    sluice_threads_destroy(&v.team);
    return status == SLUICE_OK && visit->shared ? spread_state(&v) : status;
}

sluice_status sluice_case_each(const struct sluice_case *c, enum sluice_type type,
                               sluice_case_work *work, void *data)
{
    const struct sluice_case_visit visit = {.work = work, .data = data};
    return sluice_case_visit(c, type, &visit);
}

/* --- Particles that are held --- */

static sluice_status keep(void *data, const struct sluice_start *chunk, int64_t first,
                          struct sluice_threads *team)
{
    const struct sluice_start *all = data;
    const size_t n = (size_t)chunk->count;
    (void)team;
#define KEEP(name)                                                                                 \
    if (chunk->name)                                                                               \
        memcpy(all->name + first, chunk->name, n * sizeof *chunk->name);
    SLUICE_START_ARRAYS(KEEP)
#undef KEEP
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
