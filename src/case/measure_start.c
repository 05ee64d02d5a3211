/* What is known only from all particles of the start: the extent of the fluid, the scale of thermal
 * velocities, sums. */
#include <float.h>
#include <math.h>

#include "case/builder.h"

/* --- The extent of the fluid --- */

/* Half the size of a particle's lattice cell on an axis, m. A Lennard-Jones particle is a point. */
static double half_cell(const struct sluice_case_builder *b, int axis)
{
    if (b->config->model == SLUICE_MODEL_LJ)
        return 0;
    return 0.5 * (b->c->geometry.box ? b->c->geometry.step[axis] : b->config->spacing);
}

/* The extent of the fluid, as far as it has been measured. */
struct extent {
    const struct sluice_case_builder *b;
    const double *down;     /* the unit vector along gravity */
    double highest, lowest; /* m, against gravity */
};

static void extend(void *data, int shape, const double x[3])
{
    struct extent *e = data;
    struct sluice_case *c = e->b->c;
    double height = 0;
    (void)shape;
    for (int a = 0; a < e->b->config->dimension; a++) {
        height -= e->down[a] * x[a];
        c->fluid_low[a] = fmin(c->fluid_low[a], x[a] - half_cell(e->b, a));
        c->fluid_high[a] = fmax(c->fluid_high[a], x[a] + half_cell(e->b, a));
    }
    e->highest = fmax(e->highest, height);
    e->lowest = fmin(e->lowest, height);
}

static sluice_status extend_by_chunk(void *data, const struct sluice_start *fluid, int64_t first,
                                     struct sluice_threads *team)
{
    struct extent *e = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&e->b->grid, &fluid->place[i], x);
        extend(e, 0, x);
    }
    return SLUICE_OK;
}

/* Fitted walls move fluid off the lattice. Its cells are measured then, so that the level stays the
 * same. */
static sluice_status visit_fluid(const struct sluice_case_builder *b, struct extent *e)
{
    if (!b->fit)
        return sluice_case_each(b->c, SLUICE_FLUID, extend_by_chunk, e);
    sluice_geometry_visit(&b->c->geometry, SLUICE_SHAPE_FLUID, extend, e);
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
        c->fluid_low[a] = DBL_MAX;
        c->fluid_high[a] = -DBL_MAX;
    }
    f->gravity = sluice_norm(f->pull);
    for (int a = 0; a < 3 && f->gravity > 0; a++) {
        down[a] = f->pull[a] / f->gravity;
        margin += fabs(down[a]) * half_cell(b, a);
    }
    struct extent e = {b, down, -DBL_MAX, DBL_MAX};
    SLUICE_TRY(visit_fluid(b, &e));
    f->top = e.highest + margin;
    c->fluid_depth = f->gravity > 0 ? e.highest - e.lowest + 2 * margin : 0;
    f->fluid_depth = c->fluid_depth;
    for (int a = 0; a < 3; a++)
        f->fluid_low[a] = c->fluid_low[a];
    return SLUICE_OK;
}

/* --- The initial state --- */

struct momenta {
    int dimension;
    double mass, momentum[3], twice_kinetic;
};

static sluice_status add_momenta(void *data, const struct sluice_start *s, int64_t first,
                                 struct sluice_threads *team)
{
    struct momenta *m = data;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < s->count; i++) {
        m->mass += s->mass[i];
        for (int a = 0; a < m->dimension; a++) {
            m->momentum[a] += s->mass[i] * s->velocity[i][a];
            m->twice_kinetic += s->mass[i] * s->velocity[i][a] * s->velocity[i][a];
        }
    }
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
        struct momenta m = {.dimension = dimension};
        SLUICE_TRY(sluice_case_each(b->c, SLUICE_FLUID, add_momenta, &m));
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

sluice_status sluice_case_prepare_state(struct sluice_case_builder *b)
{
    for (int i = 0; i < b->config->initial_count; i++)
        SLUICE_TRY(sluice_initial_check(&b->frame, i));
    b->has_state = 1;
    return b->config->thermal.used ? measure_thermal(b) : SLUICE_OK;
}

/* --- Sums --- */

struct sums {
    struct sluice_case_builder *b;
    enum sluice_type type;
    double mass, speed2; /* the largest */
};

static void add_fluid(struct sluice_case_builder *b, sluice_id id, double mass)
{
    struct sluice_case *c = b->c;
    const int second = c->physics.wcsph.second && id >= c->physics.wcsph.second_from;
    c->fluid_count[second]++;
    c->fluid_mass[second] += mass;
    b->start_mass += mass;
}

static sluice_status add_chunk(void *data, const struct sluice_start *s, int64_t first,
                               struct sluice_threads *team)
{
    struct sums *sums = data;
    struct sluice_groups *g = &sums->b->c->groups;
    (void)first;
    (void)team;
    for (int64_t i = 0; i < s->count; i++) {
        struct sluice_group *group = &g->group[sluice_groups_of(g, s->id[i])];
        const double *v = s->velocity[i];
        group->particles++;
        group->mass += s->mass[i];
        if (sums->type == SLUICE_FLUID)
            add_fluid(sums->b, s->id[i], s->mass[i]);
        if (sums->type == SLUICE_WALL && s->motion && s->motion[i])
            sums->b->c->moving[s->motion[i] - 1]++;
        sums->mass = fmax(sums->mass, s->mass[i]);
        sums->speed2 = fmax(sums->speed2, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_sum_start(struct sluice_case_builder *b)
{
    struct sums sums = {.b = b};
    for (sums.type = SLUICE_FLUID; sums.type <= SLUICE_WALL; sums.type++)
        SLUICE_TRY(sluice_case_each(b->c, sums.type, add_chunk, &sums));
    b->largest_mass = sums.mass;
    b->largest_speed = sqrt(sums.speed2);
    return SLUICE_OK;
}
