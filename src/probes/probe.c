#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/probe_flux.h"
#include "probes/probe_force.h"
#include "probes/probe_level.h"
#include "probes/probe_near.h"
#include "kernels/registry.h"

static const double least_weight = 0.05; /* sum V W below which a point has no fluid near it */
enum { MAX_VALUES = 3 };

struct probe {
    const struct sluice_probe *config;
    double from[3], to[3]; /* point: from; line: both; height: from is the foot */
    int sites;             /* of a point or line */
    int quantities;        /* numbers a site, without its weight */
    int columns;
    char *header;
    double *values;           /* [columns] */
    struct sluice_near *near; /* what lies in its box; the list belongs to the probes */
};

struct sluice_probes {
    const struct sluice_case *setup;
    double support, spacing; /* m */
    int count;
    struct probe *probe;
    struct sluice_near *near; /* [count] */
    struct sluice_near_map map;
    struct sluice_forces *forces;      /* NULL: none */
    struct sluice_flux_kernel *across; /* NULL: no flux */
    struct sluice_levels *levels;      /* NULL: none */
    struct sluice_fetch fetch;
    struct sluice_box *box; /* [count (SLUICE_NEAR_IMAGES + 2)] of what is to be fetched */
    struct sluice_foremost *foremost; /* [2 count] */
};

int sluice_probes_count(const struct sluice_probes *probes)
{
    return probes->count;
}

const char *sluice_probes_name(const struct sluice_probes *probes, int i)
{
    return probes->probe[i].config->name;
}

const char *sluice_probes_header(const struct sluice_probes *probes, int i)
{
    return probes->probe[i].header;
}

int sluice_probes_columns(const struct sluice_probes *probes, int i)
{
    return probes->probe[i].columns;
}

const double *sluice_probes_values(const struct sluice_probes *probes, int i)
{
    return probes->probe[i].values;
}

static int has_sites(const struct probe *q)
{
    return q->config->kind == SLUICE_PROBE_POINT || q->config->kind == SLUICE_PROBE_LINE;
}

static int has_level(const struct probe *q)
{
    return q->config->kind == SLUICE_PROBE_HEIGHT || q->config->kind == SLUICE_PROBE_RUNUP;
}

/* Whether it asks for the fluid near it. */
static int is_near(const struct probe *q)
{
    return has_sites(q) || has_level(q) || q->config->kind == SLUICE_PROBE_FLUX;
}

/* The columns of one site, as "pressure,weight" or "vx_3,vy_3,weight_3". */
static int site_header(const struct probe *q, int site, char *text, size_t size)
{
    static const char *const velocity[MAX_VALUES] = {"vx", "vy", "vz"};
    char suffix[16] = "";
    int used = 0;
    if (q->config->kind == SLUICE_PROBE_LINE)
        snprintf(suffix, sizeof suffix, "_%d", site);
    for (int k = 0; k < q->quantities; k++) {
        const char *name = q->config->quantity == SLUICE_QUANTITY_VELOCITY  ? velocity[k]
                           : q->config->quantity == SLUICE_QUANTITY_DENSITY ? "density"
                                                                            : "pressure";
        used += snprintf(text + used, size - (size_t)used, "%s%s,", name, suffix);
    }
    return used + snprintf(text + used, size - (size_t)used, "weight%s", suffix);
}

/* The columns of a kind without sites. */
static const char *columns_of(int kind, int dimension)
{
    switch (kind) {
    case SLUICE_PROBE_HEIGHT:
        return "height,bed,depth";
    case SLUICE_PROBE_RUNUP:
        return dimension == 3 ? "runup,x,y" : "runup,x";
    case SLUICE_PROBE_FRONT:
        return "front,foremost";
    case SLUICE_PROBE_FLUX:
        return "flux";
    default:
        return dimension == 3 ? "fx,fy,fz,tx,ty,tz" : "fx,fy,torque";
    }
}

static sluice_status make_header(struct probe *q, int dimension)
{
    enum { SITE_BYTES = 96 };
    const size_t size = has_sites(q) ? SITE_BYTES * (size_t)q->sites : 64;
    q->header = malloc(size);
    SLUICE_CHECK(q->header != NULL, SLUICE_DEVICE, "no memory for probe '%s'", q->config->name);
    if (!has_sites(q)) {
        snprintf(q->header, size, "%s", columns_of(q->config->kind, dimension));
        q->columns = 1;
        for (const char *at = q->header; *at; at++)
            q->columns += *at == ',';
        return SLUICE_OK;
    }
    q->columns = q->sites * (q->quantities + 1);
    size_t used = 0;
    for (int s = 0; s < q->sites; s++) {
        if (s > 0)
            q->header[used++] = ',';
        used += (size_t)site_header(q, s, q->header + used, size - used);
    }
    return SLUICE_OK;
}

static sluice_status create_probe(struct sluice_probes *probes, struct probe *q,
                                  const struct sluice_case_probe *place)
{
    const int dimension = probes->setup->config->dimension;
    const struct sluice_grid_options *grid = &probes->setup->grid;
    memcpy(q->from, place->x, sizeof q->from);
    memcpy(q->to, sluice_probe_has_ends(q->config->kind) ? place->to : place->x, sizeof q->to);
    q->sites = q->config->kind == SLUICE_PROBE_LINE ? q->config->points : 1;
    q->quantities = q->config->quantity == SLUICE_QUANTITY_VELOCITY ? dimension : 1;
    SLUICE_TRY(make_header(q, dimension));
    q->values = calloc((size_t)q->columns, sizeof *q->values);
    SLUICE_CHECK(q->values != NULL, SLUICE_DEVICE, "no memory for probe '%s'", q->config->name);

    if (!is_near(q)) {
        q->near->everywhere_empty = 1;
        return SLUICE_OK;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int beside = q->config->kind == SLUICE_PROBE_FLUX &&
                           axis != sluice_flux_axis(q->from, q->to); /* only what passes through */
        const double reach = beside
                                 ? 0
                                 : probes->support + (has_level(q) ? 1.001 * probes->spacing : 0);
        q->near->low[axis] = fmin(q->from[axis], q->to[axis]) - reach;
        q->near->high[axis] = fmax(q->from[axis], q->to[axis]) + reach;
        if (beside && grid->periodic[axis]) /* no particle passes twice */
            q->near->high[axis] = fmin(q->near->high[axis],
                                       q->near->low[axis] + grid->high[axis] - grid->low[axis]);
    }
    if (has_level(q)) {
        q->near->low[dimension - 1] = grid->low[dimension - 1] - probes->support;
        q->near->high[dimension - 1] = grid->high[dimension - 1] + probes->support;
    }
    return SLUICE_OK;
}

static sluice_status create_flux(struct sluice_probes *probes)
{
    if (!sluice_config_probe_of(probes->setup->config, SLUICE_PROBE_FLUX))
        return SLUICE_OK;
    probes->across = malloc(sizeof *probes->across);
    SLUICE_CHECK(probes->across, SLUICE_DEVICE, "no memory for probes of fluxes");
    sluice_flux_kernel_make(probes->across, &probes->setup->physics.wcsph, probes->support);
    return SLUICE_OK;
}

static sluice_status create_all(struct sluice_probes *probes)
{
    const struct sluice_case *c = probes->setup;
    const size_t n = (size_t)probes->count;
    probes->probe = calloc(n + 1, sizeof *probes->probe);
    probes->near = calloc(n + 1, sizeof *probes->near);
    probes->box = calloc(n + 1, (SLUICE_NEAR_IMAGES + 2) * sizeof *probes->box);
    probes->foremost = calloc(n + 1, 2 * sizeof *probes->foremost);
    SLUICE_CHECK(probes->probe && probes->near && probes->box && probes->foremost, SLUICE_DEVICE,
                 "no memory for %zu probes", n);
    for (size_t i = 0; i < n; i++) {
        probes->probe[i].config = &c->config->probes[i];
        probes->probe[i].near = &probes->near[i];
        SLUICE_TRY(create_probe(probes, &probes->probe[i], &c->probes[i]));
        sluice_near_map_extend(&probes->map, &probes->near[i]);
    }
    SLUICE_TRY(sluice_forces_create(&probes->forces, c));
    SLUICE_TRY(sluice_levels_create(&probes->levels, c));
    SLUICE_TRY(create_flux(probes));
    SLUICE_TRY(sluice_near_map_create(&probes->map, &c->grid, probes->support));
    for (size_t i = 0; i < n; i++)
        sluice_near_map_mark(&probes->map, &probes->near[i]);
    return SLUICE_OK;
}

sluice_status sluice_probes_create(struct sluice_probes **out, const struct sluice_case *c)
{
    *out = NULL;
    SLUICE_CHECK(c->config->probe_count == 0 || c->config->model == SLUICE_MODEL_WCSPH,
                 SLUICE_BAD_INPUT,
                 "probes: particles of model \"lj\" have no volume to interpolate with; take the "
                 "probes out");
    struct sluice_probes *probes = calloc(1, sizeof *probes);
    SLUICE_CHECK(probes != NULL, SLUICE_DEVICE, "no memory for %d probes", c->config->probe_count);
    probes->setup = c;
    probes->count = c->config->probe_count;
    probes->support = c->cutoff;
    probes->spacing = c->config->spacing;
    const sluice_status status = create_all(probes);
    if (status != SLUICE_OK) {
        sluice_probes_destroy(&probes);
        return status;
    }
    *out = probes;
    return SLUICE_OK;
}

void sluice_probes_destroy(struct sluice_probes **probes)
{
    struct sluice_probes *s = *probes;
    if (s == NULL)
        return;
    for (int i = 0; s->probe != NULL && s->near != NULL && i < s->count; i++) {
        free(s->probe[i].header);
        free(s->probe[i].values);
        free(s->near[i].entry);
    }
    free(s->probe);
    free(s->near);
    free(s->box);
    free(s->foremost);
    free(s->across);
    sluice_forces_destroy(&s->forces);
    sluice_levels_destroy(&s->levels);
    sluice_fetch_destroy(&s->fetch);
    sluice_near_map_destroy(&s->map);
    free(s);
    *probes = NULL;
}

/* Where the foremost fluid is, to rounding: one box above the height asked for and one at any, of
 * each front that is due. */
static sluice_status front_boxes(struct sluice_probes *probes, struct sluice_backend *b,
                                 const struct sluice_grid *g, const struct sluice_set *fluid,
                                 const unsigned char *due, double slack, int *boxes)
{
    int n = 0;
    for (int i = 0; i < probes->count; i++) {
        const struct sluice_probe *config = probes->probe[i].config;
        if (!due[i] || config->kind != SLUICE_PROBE_FRONT)
            continue;
        probes->foremost[n++] = (struct sluice_foremost){config->axis, config->above + slack, 0};
        probes->foremost[n++] = (struct sluice_foremost){config->axis, -INFINITY, 0};
    }
    SLUICE_TRY(b->ops->foremost(b, g, fluid, probes->foremost, n));
    for (int k = 0; k < n; k++) {
        const struct sluice_foremost *of = &probes->foremost[k];
        struct sluice_box *box = &probes->box[(*boxes)++];
        for (int axis = 0; axis < 3; axis++) {
            box->low[axis] = -INFINITY;
            box->high[axis] = INFINITY;
        }
        box->low[g->dimension - 1] = of->above - 2 * slack;
        box->low[of->axis] = fmax(box->low[of->axis], of->x - slack);
    }
    return SLUICE_OK;
}

/* What is exact is done with what was fetched; here `slack` covers all rounding. */
sluice_status sluice_probes_fetch(struct sluice_probes *probes, struct sluice_backend *b,
                                  const struct sluice_grid *g, struct sluice_set *set,
                                  const unsigned char *due, struct sluice_host_particles *p)
{
    struct sluice_set *fluid = &set[SLUICE_FLUID];
    const double slack = 1e-6 * probes->support;
    struct sluice_fetch *fetch = &probes->fetch;
    struct sluice_particle_copy copy = {g->dimension, b->real_bytes, 1, {{SLUICE_FLUID, 0, {0}}},
                                        *g,           NULL,          0};
    SLUICE_TRY(b->ops->sync(b)); /* what left the domain is off the count from here on */
    if (probes->forces)
        SLUICE_TRY(sluice_forces_measure(probes->forces, b, g, &set[SLUICE_WALL], due));
    for (int i = 0; i < probes->count; i++)
        probes->near[i].due = due[i];
    int boxes = sluice_near_boxes(&probes->map, probes->near, probes->count, slack, probes->box);
    SLUICE_TRY(front_boxes(probes, b, g, fluid, due, slack, &boxes));
    fetch->set = fluid;
    fetch->box = probes->box;
    fetch->box_count = boxes;
    fetch->fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(VELOCITY) |
                    SLUICE_BIT(ID) | SLUICE_BIT(DENSITY);
    SLUICE_TRY(b->ops->fetch(b, g, fetch));
    copy.set[0].count = fetch->count;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        copy.set[0].field[f] = fetch->field[f];
    SLUICE_TRY(sluice_host_particles_reserve(p, fetch->count + fetch->count / 4));
    return sluice_host_particles_convert(p, &copy, &probes->setup->physics.wcsph);
}

/* Foremost fluid, above the height asked for and at any: a maximum does not depend on the order. */
static void measure_front(const struct sluice_probes *probes, struct probe *q,
                          const struct sluice_host_particles *p)
{
    const int axis = q->config->axis, up = p->dimension - 1;
    double front = -INFINITY, foremost = -INFINITY;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = p->x[i][axis];
        if (x <= front || p->type[i] != SLUICE_FLUID)
            continue;
        if (x > foremost)
            foremost = x;
        if (p->x[i][up] > q->config->above)
            front = x;
    }
    q->values[0] = isinf(front) ? NAN : front + probes->spacing / 2;
    q->values[1] = isinf(foremost) ? NAN : foremost + probes->spacing / 2;
}

static double quantity_of(const struct probe *q, const struct sluice_host_particles *p, int64_t i,
                          int component)
{
    switch (q->config->quantity) {
    case SLUICE_QUANTITY_VELOCITY:
        return p->velocity[i][component];
    case SLUICE_QUANTITY_DENSITY:
        return p->density[i];
    default:
        return p->pressure[i];
    }
}

static double volume_of(const struct sluice_host_particles *p, int64_t i)
{
    return p->mass[i] / p->density[i];
}

/* The sites of a line that an entry may reach: those whose place along the line is within the
 * support of its own. */
static void site_range(const struct sluice_probes *probes, const struct probe *q, const double x[3],
                       int *first, int *last)
{
    double length2 = 0, along = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = q->to[axis] - q->from[axis];
        length2 += d * d;
        along += d * (x[axis] - q->from[axis]);
    }
    *first = 0;
    *last = q->sites - 1;
    if (q->sites < 2 || length2 <= 0)
        return;
    const double interval = sqrt(length2) / (q->sites - 1),
                 place = along / length2 * (q->sites - 1);
    const double reach = probes->support / interval * (1 + 1e-9);
    *first = (int)fmax(0, ceil(place - reach));
    *last = (int)fmin(q->sites - 1, floor(place + reach));
}

/* sum V f W and sum V W at each site, then their quotient. Entries are in the order of the ids. */
static void measure_sites(const struct sluice_probes *probes, struct probe *q,
                          const struct sluice_host_particles *p)
{
    const int stride = q->quantities + 1;
    memset(q->values, 0, (size_t)q->columns * sizeof *q->values);
    for (int64_t n = 0; n < q->near->count; n++) {
        const struct sluice_near_entry *e = &q->near->entry[n];
        int first, last;
        site_range(probes, q, e->x, &first, &last);
        for (int s = first; s <= last; s++) {
            const double t = q->sites > 1 ? (double)s / (q->sites - 1) : 0;
            const double site[3] = {q->from[0] + t * (q->to[0] - q->from[0]),
                                    q->from[1] + t * (q->to[1] - q->from[1]),
                                    q->from[2] + t * (q->to[2] - q->from[2])};
            const double r = sluice_near_distance(e->x, site);
            if (r >= probes->support)
                continue;
            const double w = volume_of(p, e->particle) *
                             sluice_wcsph_w(&probes->setup->physics.wcsph, r);
            double *sum = q->values + (size_t)stride * (size_t)s;
            for (int k = 0; k < q->quantities; k++)
                sum[k] += w * quantity_of(q, p, e->particle, k);
            sum[q->quantities] += w;
        }
    }
    for (int s = 0; s < q->sites; s++) {
        double *sum = q->values + (size_t)stride * (size_t)s;
        for (int k = 0; k < q->quantities; k++)
            sum[k] = sum[q->quantities] < least_weight ? 0 : sum[k] / sum[q->quantities];
    }
}

sluice_status sluice_probes_measure(struct sluice_probes *probes,
                                    const struct sluice_host_particles *p, double time,
                                    const unsigned char *due)
{
    for (int i = 0; i < probes->count; i++) {
        probes->near[i].due = due == NULL || due[i];
        probes->near[i].count = 0;
        if (probes->near[i].due && probes->probe[i].config->kind == SLUICE_PROBE_FRONT)
            measure_front(probes, &probes->probe[i], p);
    }
    SLUICE_TRY(sluice_near_map_gather(&probes->map, probes->near, probes->count, p));
    for (int i = 0; i < probes->count; i++) {
        struct probe *q = &probes->probe[i];
        if (!q->near->due || q->config->kind == SLUICE_PROBE_FRONT)
            continue;
        if (q->config->kind == SLUICE_PROBE_FORCE)
            memcpy(q->values, sluice_forces_values(probes->forces, i),
                   (size_t)q->columns * sizeof *q->values);
        else if (q->config->kind == SLUICE_PROBE_FLUX)
            q->values[0] = sluice_flux(probes->across, q->near, p, q->from,
                                       sluice_flux_axis(q->from, q->to));
        else if (has_level(q))
            SLUICE_TRY(sluice_levels_measure(probes->levels, i, q->near, p, time, q->values));
        else
            measure_sites(probes, q, p);
    }
    return SLUICE_OK;
}
