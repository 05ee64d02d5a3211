/* Quantities known only from all particles of the start: the extent of the fluid, the scale of
 * thermal velocities, sums. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "domain/comm.h"

/* --- The extent of the fluid --- */

/* Half the size of a particle's lattice cell on an axis, m. A Lennard-Jones particle is a point.
 * Those of a gas count as points, as the cells of its shapes differ. */
static double half_cell(const struct sluice_case_builder *b, int axis)
{
    if (b->config->model != SLUICE_MODEL_WCSPH)
        return 0;
    return 0.5 * (b->c->geometry.box ? b->c->geometry.step[axis] : b->config->spacing);
}

/* The extent of the fluid, as far as it has been measured, m. highest, deepest: against gravity and
 * along it. */
struct extent {
    const struct sluice_case_builder *b;
    const double *down; /* the unit vector along gravity */
    const struct sluice_start *chunk;
    double low[3], high[3], highest, lowest;
    pthread_mutex_t lock;
};

static void begin_extent(struct extent *e, const struct sluice_case_builder *b, const double *down)
{
    *e = (struct extent){.b = b,
                         .down = down,
                         .lock = PTHREAD_MUTEX_INITIALIZER,
                         .highest = -DBL_MAX,
                         .lowest = DBL_MAX};
    for (int a = 0; a < 3; a++) {
        e->low[a] = DBL_MAX;
        e->high[a] = -DBL_MAX;
    }
}

static void extend(void *data, int shape, const double x[3])
{
    struct extent *e = data;
    double height = 0;
    (void)shape;
    for (int a = 0; a < e->b->config->dimension; a++) {
        height -= e->down[a] * x[a];
        e->low[a] = fmin(e->low[a], x[a] - half_cell(e->b, a));
        e->high[a] = fmax(e->high[a], x[a] + half_cell(e->b, a));
    }
    e->highest = fmax(e->highest, height);
    e->lowest = fmin(e->lowest, height);
}

static void join_extents(struct extent *e, const struct extent *other)
{
    for (int a = 0; a < 3; a++) {
        e->low[a] = fmin(e->low[a], other->low[a]);
        e->high[a] = fmax(e->high[a], other->high[a]);
    }
    e->highest = fmax(e->highest, other->highest);
    e->lowest = fmin(e->lowest, other->lowest);
}

static void extend_by_blocks(struct sluice_share *share, void *data)
{
    struct extent *all = data, own;
    int64_t i, end;
    begin_extent(&own, all->b, all->down);
    while (sluice_share_block(share, all->chunk->count, SLUICE_CASE_BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            sluice_grid_coordinates(&all->b->grid, &all->chunk->place[i], x);
            extend(&own, 0, x);
        }
    pthread_mutex_lock(&all->lock);
    join_extents(all, &own);
    pthread_mutex_unlock(&all->lock);
}

/* Fitted walls move fluid off the lattice. Its cells are measured then, so that the level stays the
 * same. */
static sluice_status visit_fluid(const struct sluice_case_builder *b, struct extent *e)
{
    const struct sluice_case_visit visit = {
        .loop = extend_by_blocks, .data = e, .chunk = &e->chunk, .shared = 1};
    struct sluice_comm *world = sluice_world();
    double most[8];
    if (!b->fit)
        SLUICE_TRY(sluice_case_visit(b->c, SLUICE_FLUID, &visit));
    else
        sluice_geometry_visit(&b->c->geometry, SLUICE_SHAPE_FLUID, extend, e);
    for (int a = 0; a < 3; a++) {
        most[a] = -e->low[a];
        most[3 + a] = e->high[a];
    }
    most[6] = -e->lowest;
    most[7] = e->highest;
    SLUICE_TRY(world->ops->max(world, most, 8));
    for (int a = 0; a < 3; a++) {
        e->low[a] = -most[a];
        e->high[a] = most[3 + a];
    }
    e->lowest = -most[6];
    e->highest = most[7];
    return SLUICE_OK;
}

sluice_status sluice_case_measure_fluid(struct sluice_case_builder *b)
{
    struct sluice_initial_frame *f = &b->frame;
    struct sluice_case *c = b->c;
    double down[3] = {0}, margin = 0;
    for (int a = 0; a < b->config->dimension; a++) {
        f->low[a] = b->config->lattice.used ? c->grid.low[a] : b->config->domain.min[a];
        f->high[a] = b->config->lattice.used ? c->grid.high[a] : b->config->domain.max[a];
        f->pull[a] = c->grid.periodic[a] ? 0 : b->config->gravity[a];
    }
    f->gravity = sluice_norm(f->pull);
    for (int a = 0; a < 3 && f->gravity > 0; a++) {
        down[a] = f->pull[a] / f->gravity;
        margin += fabs(down[a]) * half_cell(b, a);
    }
    struct extent e;
    begin_extent(&e, b, down);
    SLUICE_TRY(visit_fluid(b, &e));
    memcpy(c->fluid_low, e.low, sizeof c->fluid_low);
    memcpy(c->fluid_high, e.high, sizeof c->fluid_high);
    f->top = e.highest + margin;
    c->fluid_depth = f->gravity > 0 ? e.highest - e.lowest + 2 * margin : 0;
    f->fluid_depth = c->fluid_depth;
    for (int a = 0; a < 3; a++)
        f->fluid_low[a] = c->fluid_low[a];
    return SLUICE_OK;
}

/* --- The initial state --- */

struct momenta {
    double mass, momentum[3], twice_kinetic;
};

static sluice_status add_momenta(void *data, const struct sluice_start *s, int64_t first,
                                 struct sluice_threads *team)
{
    struct momenta *m = data, sum = *m;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < s->count; i++) {
        sum.mass += s->mass[i];
        for (int a = 0; a < 3; a++) { /* in 2-D the last is 0 */
            sum.momentum[a] += s->mass[i] * s->velocity[i][a];
            sum.twice_kinetic += s->mass[i] * s->velocity[i][a] * s->velocity[i][a];
        }
    }
    *m = sum;
    return SLUICE_OK;
}

/* The particles come in ascending order of id, so neither their order in a file nor threads change
 * a bit. */
static sluice_status measure_thermal(struct sluice_case_builder *b)
{
    const int64_t count = b->c->start[SLUICE_FLUID].count;
    const int dimension = b->config->dimension;
    struct sluice_thermal *t = &b->thermal;
    SLUICE_CHECK(count >= 2, SLUICE_BAD_INPUT,
                 "thermal: %lld particle: a temperature without a drift needs at least two",
                 (long long)count);
    for (int n = 0; n <= 2; n++) {
        struct momenta m = {0};
        const struct sluice_case_visit visit = {
            .in_turn = add_momenta, .data = &m, .state = &m, .bytes = sizeof m, .shared = 1};
        SLUICE_TRY(sluice_case_visit(b->c, SLUICE_FLUID, &visit));
        if (n < 2) {
            for (int a = 0; a < dimension; a++)
                t->drift[n][a] = m.momentum[a] / m.mass;
            t->drifts = n + 1;
        } else {
            const double freedom = (double)dimension * (double)(count - 1);
            t->scale = sqrt(freedom * b->config->thermal.temperature / m.twice_kinetic);
            t->scaled = 1;
        }
    }
    return SLUICE_OK;
}

struct point_sum {
    const struct sluice_case_builder *b;
    int field;
    double total;
};

static sluice_status add_weights(void *data, const struct sluice_start *s, int64_t first,
                                 struct sluice_threads *team)
{
    struct point_sum *p = data;
    double total = p->total;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < s->count; i++) {
        double x[3];
        sluice_grid_coordinates(&p->b->grid, &s->place[i], x);
        total += s->mass[i] * sluice_gas_point_kernel(&p->b->frame, p->field, x);
    }
    p->total = total;
    return SLUICE_OK;
}

/* The sum of a point's weights, in the order of the ids, once the fields before it are applied. */
static sluice_status measure_point(struct sluice_case_builder *b, int field)
{
    const struct sluice_initial *f = &b->config->initials[field];
    struct point_sum p = {.b = b, .field = field};
    const struct sluice_case_visit visit = {.in_turn = add_weights,
                                            .data = &p,
                                            .state = &p.total,
                                            .bytes = sizeof p.total,
                                            .shared = 1};
    b->fields = field;
    SLUICE_TRY(sluice_case_visit(b->c, SLUICE_FLUID, &visit));
    SLUICE_CHECK(p.total > 0, SLUICE_BAD_INPUT,
                 "%s:%d: initial: no particle is within %.6g m of (%.6g, %.6g, %.6g): make the "
                 "radius larger, or move the centre into the gas",
                 f->file, f->line, sluice_gas_point_radius(&b->frame, field), f->centre[0],
                 f->centre[1], f->centre[2]);
    b->point_total[field] = p.total;
    return SLUICE_OK;
}

sluice_status sluice_case_prepare_state(struct sluice_case_builder *b)
{
    const int count = b->config->initial_count;
    SLUICE_TRY(sluice_case_find_initial_groups(b));
    for (int i = 0; i < count; i++)
        SLUICE_TRY(sluice_initial_check(&b->frame, i));
    b->has_state = 1;
    SLUICE_ALLOCATE(b->point_total, count, "initial fields");
    for (int i = 0; i < count; i++)
        if (b->config->initials[i].kind == SLUICE_INITIAL_POINT)
            SLUICE_TRY(measure_point(b, i));
    b->fields = count;
    return b->config->thermal.used ? measure_thermal(b) : SLUICE_OK;
}

/* --- Sums --- */

/* Particles, and the sum of their masses, kg. */
struct weight {
    int64_t particles;
    double mass;
};

struct sums {
    struct sluice_case_builder *b;
    enum sluice_type type;
    const struct sluice_start *chunk;
    pthread_mutex_t lock;
    double mass, speed2;                   /* the largest */
    struct sluice_gas_ranges gas;          /* h: V, m^D */
    int64_t moving[SLUICE_CONFIG_MOTIONS]; /* wall particles of each motion */
    /* The bits of these depend on the order: of each group, then of each fluid, then of both. */
    struct weight *weight; /* [groups.count + 3] */
};

/* A range that has no value yet. */
#define NO_RANGE                                                                                   \
    {                                                                                              \
        INFINITY, -INFINITY                                                                        \
    }
static const struct sluice_gas_ranges no_gas = {NO_RANGE, NO_RANGE, NO_RANGE, NO_RANGE};

static void widen(double range[2], double least, double most)
{
    range[0] = fmin(range[0], least);
    range[1] = fmax(range[1], most);
}

static void add_to_ranges(struct sluice_gas_ranges *r, const struct sluice_start *s, int64_t i,
                          double gamma)
{
    const double density = s->density[i], u = s->energy[i], p = (gamma - 1) * density * u,
                 volume = s->mass[i] / density;
    widen(r->density, density, density);
    widen(r->pressure, p, p);
    widen(r->energy, u, u);
    widen(r->h, volume, volume);
}

static void join_ranges(struct sluice_gas_ranges *r, const struct sluice_gas_ranges *other)
{
    widen(r->density, other->density[0], other->density[1]);
    widen(r->pressure, other->pressure[0], other->pressure[1]);
    widen(r->energy, other->energy[0], other->energy[1]);
    widen(r->h, other->h[0], other->h[1]);
}

static void find_largest(struct sluice_share *share, void *data)
{
    struct sums *all = data;
    const struct sluice_start *s = all->chunk;
    struct sums own = {.gas = no_gas};
    int64_t i, end;
    while (sluice_share_block(share, s->count, SLUICE_CASE_BLOCK, &i, &end))
        for (; i < end; i++) {
            const double *v = s->velocity[i];
            own.mass = fmax(own.mass, s->mass[i]);
            own.speed2 = fmax(own.speed2, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (s->energy)
                add_to_ranges(&own.gas, s, i, all->b->config->gas.gamma);
            if (s->motion && s->motion[i] && s->motion[i] <= (uint32_t)all->b->config->motion_count)
                own.moving[s->motion[i] - 1]++;
        }
    pthread_mutex_lock(&all->lock);
    all->mass = fmax(all->mass, own.mass);
    all->speed2 = fmax(all->speed2, own.speed2);
    join_ranges(&all->gas, &own.gas);
    for (int k = 0; k < all->b->config->motion_count; k++)
        all->moving[k] += own.moving[k];
    pthread_mutex_unlock(&all->lock);
}

/* Adds particles from `from` on until one is of another group or fluid. Returns its index. */
static int64_t weigh_run(const struct sluice_start *s, int64_t from, struct weight *group,
                         struct weight *fluid, struct weight *all)
{
    double of_group = group->mass, of_fluid = fluid->mass, of_all = all->mass;
    int64_t i = from;
    for (; i < s->count && s->group[i] == s->group[from] &&
           (!s->phase || s->phase[i] == s->phase[from]);
         i++) {
        of_group += s->mass[i];
        of_fluid += s->mass[i];
        of_all += s->mass[i];
    }
    *group = (struct weight){group->particles + i - from, of_group};
    *fluid = (struct weight){fluid->particles + i - from, of_fluid};
    *all = (struct weight){all->particles + i - from, of_all};
    return i;
}

static sluice_status weigh_chunk(void *data, const struct sluice_start *chunk, int64_t first,
                                 struct sluice_threads *team)
{
    struct sums *s = data;
    const struct sluice_groups *g = &s->b->c->groups;
    struct weight *fluid = s->weight + g->count, wall[2] = {{0}};
    (void)first;
    (void)team;
    for (int64_t i = 0; i < chunk->count;) {
        const uint32_t second = chunk->phase ? chunk->phase[i] : 0;
        struct weight *group = s->weight + chunk->group[i];
        i = s->type == SLUICE_FLUID ? weigh_run(chunk, i, group, &fluid[second], &fluid[2])
                                    : weigh_run(chunk, i, group, &wall[0], &wall[1]);
    }
    return SLUICE_OK;
}

/* Takes over the global ranges of a gas, with h = eta V^(1/D). */
static sluice_status take_ranges(const struct sums *s)
{
    struct sluice_comm *world = sluice_world();
    const struct sluice_gas_ranges *own = &s->gas;
    struct sluice_gas_ranges *r = &s->b->c->gas;
    const struct gas_params *p = &s->b->c->physics.gas;
    double most[] = {-own->density[0], own->density[1], -own->pressure[0], own->pressure[1],
                     -own->energy[0],  own->energy[1],  -own->h[0],        own->h[1]};
    SLUICE_TRY(world->ops->max(world, most, 8));
    *r = (struct sluice_gas_ranges){.density = {-most[0], most[1]},
                                    .pressure = {-most[2], most[3]},
                                    .energy = {-most[4], most[5]}};
    for (int k = 0; k < 2; k++)
        r->h[k] = p->eta * pow(k ? most[7] : -most[6], 1.0 / p->dimension);
    return SLUICE_OK;
}

/* Takes over the global sums. */
static sluice_status take_sums(struct sums *s)
{
    struct sluice_comm *world = sluice_world();
    struct sluice_case *c = s->b->c;
    const struct weight *fluid = s->weight + c->groups.count;
    double most[2] = {s->mass, s->speed2};
    SLUICE_TRY(world->ops->max(world, most, 2));
    SLUICE_TRY(world->ops->sum(world, s->moving, s->b->config->motion_count));
    for (int k = 0; k < c->groups.count; k++) {
        c->groups.group[k].particles = s->weight[k].particles;
        c->groups.group[k].mass = s->weight[k].mass;
    }
    for (int n = 0; n < 2; n++) {
        c->fluid_count[n] = fluid[n].particles;
        c->fluid_mass[n] = fluid[n].mass;
    }
    for (int k = 0; k < s->b->config->motion_count; k++)
        c->moving[k] = s->moving[k];
    s->b->start_mass = fluid[2].mass;
    s->b->largest_mass = most[0];
    s->b->largest_speed = sqrt(most[1]);
    return c->config->model == SLUICE_MODEL_GAS ? take_ranges(s) : SLUICE_OK;
}

sluice_status sluice_case_sum_start(struct sluice_case_builder *b)
{
    const size_t sums = (size_t)b->c->groups.count + 3;
    struct sums s = {.b = b, .lock = PTHREAD_MUTEX_INITIALIZER, .gas = no_gas};
    SLUICE_ALLOCATE(s.weight, sums, "sums of masses");
    const struct sluice_case_visit visit = {.loop = find_largest,
                                            .data = &s,
                                            .chunk = &s.chunk,
                                            .shared = 1,
                                            .in_turn = weigh_chunk,
                                            .state = s.weight,
                                            .bytes = sums * sizeof *s.weight};
    sluice_status status = SLUICE_OK;
    for (s.type = SLUICE_FLUID; s.type <= SLUICE_WALL && status == SLUICE_OK; s.type++)
        status = sluice_case_visit(b->c, s.type, &visit);
    if (status == SLUICE_OK)
        status = take_sums(&s);
    free(s.weight);
    return status;
}
