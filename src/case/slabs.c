/* Slabs: pieces of the particles of a type. They come from sources, one after the other: the rows
 * of a file, boxes of cells of the shapes, points of fitted walls, lattices. A slab is a part of a
 * row of a source's cells, or a few whole rows, x running fastest.
 *
 *   source    shape 0            | shape 1        | ...
 *   slab      0   1   2   3   4  | 5   6   7   8  |
 *   particles 32  32  32  30  0  | 30  32  32  3  |
 *   first id  0   32  64  96     | 126 156 188 220
 *
 * So the counts of slabs give all ids: threads make slabs in any order, ranks those near them. */
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "domain/comm.h"

enum {
    BLOCK = 256, /* slabs that a thread takes at a time */
    FEW = 4096   /* starting threads takes longer than counting so many slabs */
};

/* --- The particles of a slab --- */

/* Particles of a slab that others of the file displace, or of a gas that later shapes cut. */
struct displaced {
    int64_t replaced, inside, cut;
};

struct walk {
    const struct sluice_case_builder *b;
    enum sluice_type type;
    const struct sluice_slab_source *source;
    struct sluice_slab_particle particle;
    sluice_slab_visitor *visit;
    void *data;
    struct displaced displaced;
};

/* Whether particles of the file displace this one. */
static int is_displaced(struct walk *w, int shape, const double x[3])
{
    const struct sluice_case_builder *b = w->b;
    const int replaced = sluice_case_is_replaced(b, shape),
              is_body = b->from_bodies > 0 && b->config->shapes[shape].body; /* of a snapshot */
    if (!replaced && (is_body || !b->body.lists.count || !sluice_wall_body_holds(&b->body, x)))
        return 0;
    w->displaced.replaced += replaced;
    w->displaced.inside += !replaced;
    return 1;
}

static void visit_cell(struct walk *w, const int64_t cell[3], double y, double z)
{
    const struct sluice_case_builder *b = w->b;
    const struct sluice_geometry *g = &b->c->geometry;
    const int shape = w->source->shape;
    double *x = w->particle.x;
    if (!sluice_geometry_fills(g, shape, cell))
        return;
    x[0] = sluice_geometry_centre(g, 0, cell[0]);
    x[1] = y;
    x[2] = z;
    if (b->fit && w->type == SLUICE_FLUID && !sluice_fit_move(b->fit, x))
        return;
    if (b->file.count && is_displaced(w, shape, x))
        return;
    w->visit(w->data, &w->particle);
}

static void visit_cells(struct walk *w, const struct sluice_slab_part *p)
{
    const struct sluice_slab_source *s = w->source;
    const struct sluice_geometry *g = &w->b->c->geometry;
    w->particle.shape = s->shape;
    w->particle.mass = sluice_case_mass_of(w->b, s->phase);
    w->particle.motion = sluice_config_mover(w->b->config, s->shape);
    for (int64_t row = p->row; row < p->end; row++) {
        int64_t cell[3] = {0, s->box.low[1] + row % p->plane, s->box.low[2] + row / p->plane};
        const double y = sluice_geometry_centre(g, 1, cell[1]),
                     z = sluice_geometry_centre(g, 2, cell[2]);
        for (cell[0] = p->cells[0]; cell[0] < p->cells[1]; cell[0]++)
            visit_cell(w, cell, y, z);
    }
}

static void visit_points(struct walk *w, const struct sluice_slab_part *p)
{
    const struct sluice_case_builder *b = w->b;
    int64_t count;
    const struct sluice_pack_point *point = sluice_fit_points(
        b->fit, w->type == SLUICE_FLUID ? SLUICE_SHAPE_FLUID : SLUICE_SHAPE_WALL, &count);
    w->particle.mass = sluice_case_mass_of(b, w->source->phase);
    for (int64_t i = p->cells[0]; i < p->cells[1]; i++) {
        const struct sluice_shape *shape = &b->config->shapes[point[i].kind];
        if (w->type == SLUICE_FLUID && (shape->phase == 2) != (w->source->phase == 2))
            continue;
        if (sluice_case_is_replaced(b, point[i].kind)) {
            w->displaced.replaced++;
            continue;
        }
        memcpy(w->particle.x, point[i].x, sizeof w->particle.x);
        w->particle.shape = point[i].kind;
        w->particle.motion = sluice_config_mover(b->config, point[i].kind);
        w->visit(w->data, &w->particle);
    }
}

static void visit_site(struct walk *w, const struct sluice_lattice *l, int64_t i)
{
    const struct sluice_gas_shapes *gas = &w->b->c->gas_shapes;
    const int shape = w->source->shape;
    sluice_lattice_site(l, i, w->particle.x);
    const enum sluice_gas_site site = shape < 0 ? SLUICE_SITE_FILLED
                                                : sluice_gas_shapes_site(gas, shape, w->particle.x);
    w->displaced.cut += site == SLUICE_SITE_CUT;
    if (site == SLUICE_SITE_FILLED)
        w->visit(w->data, &w->particle);
}

static void visit_sites(struct walk *w, const struct sluice_slab_part *p)
{
    const struct sluice_lattice *l = sluice_slab_lattice(w->b, w->source);
    const int shape = w->source->shape;
    w->particle.mass = shape < 0 ? w->b->particle_mass : w->b->c->gas_shapes.shape[shape].mass;
    w->particle.shape = shape;
    w->particle.motion = -1;
    for (int64_t row = p->row; row < p->end; row++)
        for (int64_t i = (row * l->cells[0] + p->cells[0]) * l->basis;
             i < (row * l->cells[0] + p->cells[1]) * l->basis; i++)
            visit_site(w, l, i);
}

static void visit_rows(struct walk *w, const struct sluice_slab_part *p)
{
    const struct sluice_case_builder *b = w->b;
    for (int64_t i = p->cells[0]; i < p->cells[1]; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type != w->type)
            continue;
        memcpy(w->particle.x, row->x, sizeof row->x);
        w->particle.row = row;
        w->particle.shape = -1;
        w->particle.motion = b->row_motion[sluice_case_row_group(b, row)];
        w->particle.mass = sluice_case_row_mass(b, row);
        w->visit(w->data, &w->particle);
    }
}

static void visit_slab(struct walk *w, int64_t k)
{
    const struct sluice_slab_part part = sluice_slab_part(w->source, k);
    switch (w->source->kind) {
    case SLUICE_SLABS_OF_FILE:
        visit_rows(w, &part);
        break;
    case SLUICE_SLABS_OF_SHAPE:
        visit_cells(w, &part);
        break;
    case SLUICE_SLABS_OF_FIT:
        visit_points(w, &part);
        break;
    case SLUICE_SLABS_OF_LATTICE:
        visit_sites(w, &part);
        break;
    }
}

void sluice_slab_each(const struct sluice_case_builder *b, enum sluice_type type,
                      const struct sluice_slab_source *source, int64_t k,
                      sluice_slab_visitor *visit, void *data)
{
    struct walk w = {.b = b, .type = type, .source = source, .visit = visit, .data = data};
    visit_slab(&w, k);
}

/* Fluid beside fitted walls is moved off its cells. */
void sluice_slab_extent(const struct sluice_case_builder *b,
                        const struct sluice_slab_source *source, int64_t k, double low[3],
                        double high[3])
{
    const struct sluice_slab_part p = sluice_slab_part(source, k);
    const int64_t last = p.end - 1, z[2] = {p.row / p.plane, last / p.plane};
    const int64_t y[2] = {z[0] == z[1] ? p.row % p.plane : 0,
                          z[0] == z[1] ? last % p.plane : p.plane - 1};
    const int64_t from[3] = {p.cells[0], source->box.low[1] + y[0], source->box.low[2] + z[0]},
                  to[3] = {p.cells[1] - 1, source->box.low[1] + y[1], source->box.low[2] + z[1]};
    for (int a = 0; a < 3; a++) {
        low[a] = -INFINITY;
        high[a] = INFINITY;
        if (source->kind == SLUICE_SLABS_OF_SHAPE && !b->fit) {
            low[a] = sluice_geometry_centre(&b->c->geometry, a, from[a]);
            high[a] = sluice_geometry_centre(&b->c->geometry, a, to[a]);
        } else if (source->kind == SLUICE_SLABS_OF_LATTICE && a < b->config->dimension) {
            const struct sluice_lattice *l = sluice_slab_lattice(b, source);
            low[a] = l->low[a] + (double)from[a] * l->edge[a];
            high[a] = l->low[a] + (double)(to[a] + 1) * l->edge[a];
        }
    }
}

/* --- Counts --- */

struct counting {
    struct sluice_case_builder *b;
    enum sluice_type type;
    struct sluice_slabs *slabs;
    int64_t first, last; /* slabs that this rank counts */
    pthread_mutex_t lock;
};

/* The counts of a thread. */
struct tally {
    const struct counting *c;
    int64_t particles;                   /* of the present slab */
    double reach[SLUICE_CONFIG_MOTIONS]; /* of motions, m */
};

/* The distance of x from the axis of a motion. */
static double distance_from_axis(const struct sluice_config *config, int motion, const double x[3])
{
    const struct sluice_motion *m = &config->motions[motion];
    double d2 = 0;
    for (int c = 0; c < config->dimension; c++)
        if (c != m->axis || config->dimension == 2)
            d2 += (x[c] - m->centre[c]) * (x[c] - m->centre[c]);
    return sqrt(d2);
}

static void count_particle(void *data, const struct sluice_slab_particle *p)
{
    struct tally *t = data;
    t->particles++;
    if (p->motion >= 0 && p->motion < t->c->b->config->motion_count && t->c->type == SLUICE_WALL)
        t->reach[p->motion] = fmax(t->reach[p->motion],
                                   distance_from_axis(t->c->b->config, p->motion, p->x));
}

static void add_displaced(struct counting *c, const struct sluice_slab_source *source,
                          const struct displaced *d)
{
    struct sluice_case_builder *b = c->b;
    const int second = c->type == SLUICE_FLUID && source->phase == 2;
    if (d->replaced + d->inside + d->cut == 0)
        return;
    pthread_mutex_lock(&c->lock);
    b->replaced.count[c->type] += d->replaced;
    b->replaced.second += second ? d->replaced : 0;
    b->inside.count[c->type] += d->inside;
    b->inside.second += second ? d->inside : 0;
    b->c->shapes[source->shape].particles -= d->replaced + d->inside;
    b->c->shapes[source->shape].displaced += d->replaced + d->inside;
    b->c->shapes[source->shape].cut += d->cut;
    pthread_mutex_unlock(&c->lock);
}

static void count_slabs(struct sluice_share *share, void *data)
{
    struct counting *c = data;
    double *reach = c->b->c->physics.motion_reach;
    struct tally t = {.c = c};
    int64_t k, end;
    while (sluice_share_block(share, c->last - c->first, BLOCK, &k, &end)) {
        const struct sluice_slab_source *source = NULL;
        for (k += c->first, end += c->first; k < end; k++) {
            source = sluice_slab_source(c->slabs, k, source);
            struct walk w = {
                .b = c->b, .type = c->type, .source = source, .visit = count_particle, .data = &t};
            t.particles = 0;
            visit_slab(&w, k);
            c->slabs->particles[k] = (uint8_t)t.particles;
            add_displaced(c, source, &w.displaced);
        }
    }
    pthread_mutex_lock(&c->lock);
    for (int i = 0; i < c->b->config->motion_count; i++)
        reach[i] = fmax(reach[i], t.reach[i]);
    pthread_mutex_unlock(&c->lock);
}

/* Each rank counts some of the slabs. Those of a case with a file, which each holds whole, are
 * counted by each. */
static sluice_status count_all(struct counting *c)
{
    struct sluice_comm *world = sluice_world();
    struct sluice_threads *team = NULL;
    struct sluice_slabs *s = c->slabs;
    const int shared = world->size > 1 && c->b->file.count == 0, of = world->sharing;
    void *all;
    size_t bytes;
    SLUICE_ALLOCATE(s->particles, s->count, "counts of slabs");
    c->first = shared ? sluice_comm_share(world, s->count, world->rank) : 0;
    c->last = shared ? sluice_comm_share(world, s->count, world->rank + 1) : s->count;
    if (c->last - c->first > FEW)
        SLUICE_TRY(sluice_threads_create(&team, sluice_config_threads(c->b->config, of)));
    sluice_threads_run(team, sluice_blocks(c->last - c->first, BLOCK), count_slabs, c);
    sluice_threads_destroy(&team);
    if (!shared)
        return SLUICE_OK;
    SLUICE_TRY(sluice_comm_gather(world, s->particles + c->first,
                                  (size_t)(c->last - c->first) * sizeof *s->particles, 1, &all,
                                  &bytes));
    free(s->particles);
    s->particles = all;
    const int cuts = c->type == SLUICE_FLUID && c->b->c->gas_shapes.shape;
    for (int k = 0; cuts && k < c->b->config->shape_count; k++)
        SLUICE_TRY(world->ops->sum(world, &c->b->c->shapes[k].cut, 1));
    return world->ops->max(world, c->b->c->physics.motion_reach, c->b->config->motion_count);
}

sluice_status sluice_slabs_create(struct sluice_case_builder *b, enum sluice_type type,
                                  sluice_id *next_id)
{
    struct sluice_slabs *s = &b->slabs[type];
    struct counting c = {.b = b, .type = type, .slabs = s, .lock = PTHREAD_MUTEX_INITIALIZER};
    SLUICE_TRY(sluice_slabs_add_sources(b, type, s));
    SLUICE_TRY(count_all(&c));
    b->first_id[type] = *next_id;
    b->c->start[type].count = 0;
    for (int i = 0; i < s->sources; i++) {
        const struct sluice_slab_source *source = &s->source[i];
        int64_t particles = 0;
        for (int64_t k = source->first; k < source->first + source->slabs; k++)
            particles += s->particles[k];
        b->c->start[type].count += particles;
        b->filled_second += source->phase == 2 ? particles : 0;
        if (source->kind == SLUICE_SLABS_OF_LATTICE && source->shape >= 0)
            b->c->shapes[source->shape].particles = particles;
        if (source->kind != SLUICE_SLABS_OF_FILE)
            *next_id += (sluice_id)particles;
    }
    return SLUICE_OK;
}
