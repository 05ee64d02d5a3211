#include "probes/probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "probes/probe_flux.h"
#include "probes/probe_force.h"
#include "probes/probe_level.h"
#include "probes/probe_near.h"
#include "probes/probe_quantity.h"
#include "kernels/registry.h"

static const double least_weight = 0.05; /* sum V W below which a point has no fluid near it */

/* Columns of the probes without columns for each site, in 2-D and 3-D. */
static const char *const columns_of[][2] = {
    [SLUICE_PROBE_HEIGHT] = {"height,bed,depth", "height,bed,depth"},
    [SLUICE_PROBE_RUNUP] = {"runup,x", "runup,x,y"},
    [SLUICE_PROBE_FRONT] = {"front,foremost", "front,foremost"},
    [SLUICE_PROBE_FLUX] = {"flux", "flux"},
    [SLUICE_PROBE_PATCH] = {"pressure,wet", "pressure,wet"},
    [SLUICE_PROBE_FORCE] = {"fx,fy,torque", "fx,fy,fz,tx,ty,tz"},
};

struct probe {
    const struct sluice_probe *config;
    double from[3], to[3]; /* point: from; line: both; height: from is the foot; patch: the ends of
                              its first row */
    double last[3];        /* patch: the start of its last row */
    int sites;             /* of a point or line, or in a row of a patch */
    int rows;              /* of the sites */
    struct sluice_probe_values values; /* of a site, without its weight */
    double *sums;                      /* [rows][sites][values.count + 1] of a patch */
    struct sluice_probe_table table;
};

struct sluice_probes {
    const struct sluice_case *setup;
    const struct gas_params *gas; /* NULL: water */
    double support, spacing;      /* m; of a gas at least the widest support */
    int count;
    struct probe *probe;
    struct sluice_near *near; /* [count] */
    struct sluice_near_map map;
    struct sluice_forces forces;
    struct sluice_levels levels;
    struct sluice_flux_kernel *flux_kernel; /* NULL: no probe of a flux */
    struct sluice_fetch fetch;
    struct sluice_box *box;           /* [count (SLUICE_NEAR_IMAGES + 2)] to be fetched */
    struct sluice_foremost *foremost; /* [2 count] */
};

const struct sluice_probe_table *sluice_probes_table(const struct sluice_probes *probes, int i)
{
    return &probes->probe[i].table;
}

/* Whether its table has the sites themselves. */
static int shows_sites(const struct probe *q)
{
    return q->config->kind == SLUICE_PROBE_POINT || q->config->kind == SLUICE_PROBE_LINE;
}

/* Whether it needs the fluid near it. */
static int needs_near(const struct probe *q)
{
    return shows_sites(q) || sluice_probe_has_level(q->config->kind) ||
           q->config->kind == SLUICE_PROBE_FLUX || q->config->kind == SLUICE_PROBE_PATCH;
}

/* The columns of one site, as "pressure,weight" or "vx_3,vy_3,weight_3". */
static int site_header(const struct probe *q, int site, char *text, size_t size)
{
    char suffix[16] = "";
    int used = 0;
    if (q->config->kind == SLUICE_PROBE_LINE)
        snprintf(suffix, sizeof suffix, "_%d", site);
    for (int k = 0; k < q->values.count; k++)
        used += snprintf(text + used, size - (size_t)used, "%s%s,", q->values.value[k].column,
                         suffix);
    return used + snprintf(text + used, size - (size_t)used, "weight%s", suffix);
}

static sluice_status make_header(struct probe *q, int dimension)
{
    enum { SITE_BYTES = 160 };
    const size_t size = shows_sites(q) ? SITE_BYTES * (size_t)q->sites : 64;
    SLUICE_ALLOCATE(q->table.header, size, "bytes of a probe's header");
    if (!shows_sites(q)) {
        snprintf(q->table.header, size, "%s", columns_of[q->config->kind][dimension == 3]);
        q->table.columns = 1;
        for (const char *at = q->table.header; *at; at++)
            q->table.columns += *at == ',';
        return SLUICE_OK;
    }
    q->table.columns = q->sites * (q->values.count + 1);
    size_t used = 0;
    for (int s = 0; s < q->sites; s++) {
        if (s > 0)
            q->table.header[used++] = ',';
        used += (size_t)site_header(q, s, q->table.header + used, size - used);
    }
    return SLUICE_OK;
}

/* The box around a probe that holds all particles it needs. A flux needs those that pass through
 * its section, no farther to its sides; over a period no particle may pass twice. */
static void set_box(const struct sluice_probes *probes, const struct probe *q,
                    struct sluice_near *near)
{
    const struct sluice_grid_options *grid = &probes->setup->grid;
    const int flux = q->config->kind == SLUICE_PROBE_FLUX, up = grid->dimension - 1,
              level = sluice_probe_has_level(q->config->kind);
    for (int axis = 0; axis < 3; axis++) {
        const int along = flux && axis != sluice_flux_axis(q->from, q->to);
        const double beyond = level ? 1.001 * probes->spacing : 0,
                     reach = along ? 0 : probes->support + beyond;
        const double a = q->from[axis], b = q->to[axis], across = q->last[axis] - a;
        near->low[axis] = fmin(fmin(a, b), fmin(a, b) + across) - reach;
        near->high[axis] = fmax(fmax(a, b), fmax(a, b) + across) + reach;
        if (along && grid->periodic[axis])
            near->high[axis] = fmin(near->high[axis],
                                    near->low[axis] + grid->high[axis] - grid->low[axis]);
    }
    if (level) {
        near->low[up] = grid->low[up] - probes->support;
        near->high[up] = grid->high[up] + probes->support;
    }
}

/* The points of a patch are the middles of its cells. */
static sluice_status create_patch(struct probe *q, const struct sluice_case_probe *place,
                                  int dimension)
{
    for (int a = 0; a < dimension; a++) {
        const double along = (place->side[0][a] - place->x[a]) / (2 * place->points[0]),
                     across = (place->side[1][a] - place->x[a]) / (2 * place->points[1]);
        q->from[a] = place->x[a] + along + across;
        q->to[a] = place->side[0][a] - along + across;
        q->last[a] = place->side[1][a] + along - across;
    }
    q->sites = place->points[0];
    q->rows = place->points[1];
    SLUICE_ALLOCATE(q->sums, 2 * (size_t)q->sites * (size_t)q->rows, "sums of a patch");
    return SLUICE_OK;
}

static sluice_status create_probe(struct sluice_probes *probes, int i)
{
    const struct sluice_case *c = probes->setup;
    const struct sluice_case_probe *place = &c->probes[i];
    struct probe *q = &probes->probe[i];
    q->config = &c->config->probes[i];
    q->table.name = q->config->name;
    memcpy(q->from, place->x, sizeof q->from);
    memcpy(q->to, sluice_probe_has_ends(q->config->kind) ? place->to : place->x, sizeof q->to);
    memcpy(q->last, q->from, sizeof q->last);
    q->sites = q->config->kind == SLUICE_PROBE_LINE ? q->config->points : 1;
    q->rows = 1;
    sluice_probe_values_list(&q->values, c->config, q->config->quantity);
    if (q->config->kind == SLUICE_PROBE_PATCH)
        SLUICE_TRY(create_patch(q, place, c->config->dimension));
    SLUICE_TRY(make_header(q, c->config->dimension));
    SLUICE_ALLOCATE(q->table.values, q->table.columns, "columns of a probe");
    probes->near[i].used = needs_near(q);
    if (probes->near[i].used)
        set_box(probes, q, &probes->near[i]);
    return SLUICE_OK;
}

static sluice_status create_flux(struct sluice_probes *probes)
{
    if (!sluice_config_probe_of(probes->setup->config, SLUICE_PROBE_FLUX))
        return SLUICE_OK;
    SLUICE_ALLOCATE(probes->flux_kernel, 1, "kernel of fluxes");
    sluice_flux_kernel_make(probes->flux_kernel, &probes->setup->physics.wcsph, probes->support);
    return SLUICE_OK;
}

static sluice_status create_all(struct sluice_probes *probes)
{
    const struct sluice_case *c = probes->setup;
    const size_t n = (size_t)probes->count;
    SLUICE_ALLOCATE(probes->probe, n, "probes");
    SLUICE_ALLOCATE(probes->near, n, "probes");
    SLUICE_ALLOCATE(probes->box, n * (SLUICE_NEAR_IMAGES + 2), "boxes of probes");
    SLUICE_ALLOCATE(probes->foremost, 2 * n, "probes of fronts");
    for (int i = 0; i < probes->count; i++)
        SLUICE_TRY(create_probe(probes, i));
    SLUICE_TRY(sluice_forces_create(&probes->forces, c));
    SLUICE_TRY(sluice_levels_create(&probes->levels, c));
    SLUICE_TRY(create_flux(probes));
    return sluice_near_map_create(&probes->map, &c->grid, probes->near, probes->count,
                                  probes->support);
}

sluice_status sluice_probes_create(struct sluice_probes **out, const struct sluice_case *c)
{
    *out = NULL;
    SLUICE_CHECK(c->config->probe_count == 0 || c->config->model != SLUICE_MODEL_LJ,
                 SLUICE_BAD_INPUT,
                 "probes: particles of model \"lj\" have no volume to interpolate with; take the "
                 "probes out");
    struct sluice_probes *probes;
    SLUICE_ALLOCATE(probes, 1, "set of probes");
    probes->setup = c;
    probes->count = c->config->probe_count;
    probes->gas = c->config->model == SLUICE_MODEL_GAS ? &c->physics.gas : NULL;
    probes->support = c->cutoff;
    probes->spacing = c->config->spacing;
    *out = probes;
    const sluice_status status = create_all(probes);
    if (status != SLUICE_OK)
        sluice_probes_destroy(out);
    return status;
}

/* With room, so that few steps of a gas that expands make the boxes anew. */
sluice_status sluice_probes_widen(struct sluice_probes *probes, double support)
{
    if (!probes->gas || support <= probes->support)
        return SLUICE_OK;
    probes->support = 1.2 * support;
    for (int i = 0; i < probes->count; i++)
        if (probes->near[i].used)
            set_box(probes, &probes->probe[i], &probes->near[i]);
    sluice_near_map_destroy(&probes->map);
    return sluice_near_map_create(&probes->map, &probes->setup->grid, probes->near, probes->count,
                                  probes->support);
}

void sluice_probes_destroy(struct sluice_probes **probes)
{
    struct sluice_probes *s = *probes;
    if (s == NULL)
        return;
    for (int i = 0; s->probe != NULL && s->near != NULL && i < s->count; i++) {
        free(s->probe[i].table.header);
        free(s->probe[i].table.values);
        free(s->probe[i].sums);
        free(s->near[i].entry);
    }
    free(s->probe);
    free(s->near);
    free(s->box);
    free(s->foremost);
    free(s->flux_kernel);
    sluice_forces_destroy(&s->forces);
    sluice_levels_destroy(&s->levels);
    sluice_fetch_destroy(&s->fetch);
    sluice_near_map_destroy(&s->map);
    free(s);
    *probes = NULL;
}

/* Two boxes for each front that is due: around the foremost fluid above its height, and around the
 * foremost fluid at any height. `slack` covers rounding. */
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

/* `slack` covers rounding: measuring the fetched particles is exact. */
sluice_status sluice_probes_fetch(struct sluice_probes *probes, struct sluice_backend *b,
                                  const struct sluice_grid *g, struct sluice_set *set,
                                  const unsigned char *due, struct sluice_host_particles *p)
{
    struct sluice_set *fluid = &set[SLUICE_FLUID];
    const double slack = 1e-6 * probes->support;
    struct sluice_fetch *fetch = &probes->fetch;
    SLUICE_TRY(b->ops->sync(b)); /* now the count excludes particles that left the domain */
    SLUICE_TRY(sluice_forces_measure(&probes->forces, b, g, &set[SLUICE_WALL], due));
    for (int i = 0; i < probes->count; i++)
        probes->near[i].due = due[i] && probes->near[i].used;
    int boxes = sluice_near_boxes(&probes->map, probes->near, probes->count, slack, probes->box);
    SLUICE_TRY(front_boxes(probes, b, g, fluid, due, slack, &boxes));
    fetch->set = fluid;
    fetch->box = probes->box;
    fetch->box_count = boxes;
    fetch->fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(VELOCITY) |
                    SLUICE_BIT(ID) | SLUICE_BIT(SCALAR) | SLUICE_BIT(SMOOTHING);
    SLUICE_TRY(b->ops->fetch(b, g, fetch));
    const struct sluice_matter matter = {
        .water = probes->gas ? NULL : &probes->setup->physics.wcsph, .gas = probes->gas};
    const struct sluice_particle_copy copy = {.set_count = 1, .set = {*fetch}, .grid = *g};
    SLUICE_TRY(sluice_host_particles_reserve(p, fetch->count + fetch->count / 4));
    return sluice_host_particles_convert(p, &copy, &matter);
}

/* The foremost fluid above the given height and at any height: a maximum needs no order. */
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
    q->table.values[0] = isinf(front) ? NAN : front + probes->spacing / 2;
    q->table.values[1] = isinf(foremost) ? NAN : foremost + probes->spacing / 2;
}

/* The first and last site of row k. */
static void row_ends(const struct probe *q, int k, double from[3], double to[3])
{
    const double t = q->rows > 1 ? (double)k / (q->rows - 1) : 0;
    for (int a = 0; a < 3; a++) {
        from[a] = q->from[a] + t * (q->last[a] - q->from[a]);
        to[a] = q->to[a] + t * (q->last[a] - q->from[a]);
    }
}

/* The kernel of a particle; in a gas each has its own. */
struct kernel {
    int name, dimension;
    double h, support; /* m */
};

static struct kernel kernel_of(const struct sluice_probes *probes,
                               const struct sluice_host_particles *p, int64_t particle)
{
    const struct wcsph_params *water = &probes->setup->physics.wcsph;
    const struct gas_params *gas = probes->gas;
    if (!gas)
        return (struct kernel){water->kernel, water->dimension, water->h, probes->support};
    const double h = p->length[particle];
    return (struct kernel){gas->kernel, gas->dimension, h, sluice_kernel_support(gas->kernel) * h};
}

/* Adds a particle to the sums of the sites from..to that are within its reach. */
static void add_to_row(const struct sluice_probes *probes, const struct probe *q,
                       const struct sluice_near_entry *e, const struct sluice_host_particles *p,
                       const struct kernel *kernel, const double from[3], const double to[3],
                       double *sums)
{
    const struct sluice_near_image *image = &probes->map.image[e->image];
    const int stride = q->values.count + 1;
    int first, last;
    sluice_near_sites(from, to, q->sites, kernel->support, e->x, &first, &last);
    for (int s = first; s <= last; s++) {
        double site[3];
        sluice_near_site(from, to, q->sites, s, site);
        const double r = sluice_near_distance(e->x, site);
        if (r >= kernel->support)
            continue;
        const double volume = p->mass[e->particle] / p->density[e->particle],
                     w = volume * sluice_kernel_w(kernel->name, kernel->dimension, kernel->h, r);
        double *sum = sums + (size_t)stride * (size_t)s;
        for (int k = 0; k < q->values.count; k++)
            sum[k] += w * sluice_probe_value_of(&q->values.value[k], p, e->particle, image);
        sum[q->values.count] += w;
    }
}

/* sum V f W and sum V W at each site, then their quotient. Entries are in the order of the ids. */
static void measure_sites(const struct sluice_probes *probes, const struct probe *q,
                          const struct sluice_near *near, const struct sluice_host_particles *p,
                          double *sums)
{
    const size_t stride = (size_t)q->values.count + 1, in_row = stride * (size_t)q->sites,
                 all = in_row * (size_t)q->rows;
    memset(sums, 0, all * sizeof *sums);
    for (int64_t n = 0; n < near->count; n++) {
        const struct sluice_near_entry *e = &near->entry[n];
        double from[3], to[3];
        int first, last;
        const struct kernel kernel = kernel_of(probes, p, e->particle);
        sluice_near_sites(q->from, q->last, q->rows, kernel.support, e->x, &first, &last);
        for (int k = first; k <= last; k++) {
            row_ends(q, k, from, to);
            add_to_row(probes, q, e, p, &kernel, from, to, sums + in_row * (size_t)k);
        }
    }
    for (double *sum = sums; sum < sums + all; sum += stride)
        for (int k = 0; k < q->values.count; k++)
            sum[k] = sum[q->values.count] < least_weight ? 0 : sum[k] / sum[q->values.count];
}

/* The mean of the points, 0 where they are dry, and the share of them that is wet. A round patch
 * is made of the points within the ellipse. */
static void average_patch(const struct probe *q, double *values)
{
    double pressure = 0;
    int points = 0, wet = 0;
    for (int row = 0; row < q->rows; row++)
        for (int s = 0; s < q->sites; s++) {
            const double x = (2 * s + 1.0) / q->sites - 1, y = (2 * row + 1.0) / q->rows - 1,
                         *sum = q->sums + 2 * ((size_t)row * (size_t)q->sites + (size_t)s);
            if (q->config->round && x * x + y * y > 1)
                continue;
            points++;
            pressure += sum[0];
            wet += sum[1] >= least_weight;
        }
    values[0] = pressure / points;
    values[1] = (double)wet / points;
}

sluice_status sluice_probes_measure(struct sluice_probes *probes,
                                    const struct sluice_host_particles *p, double time,
                                    const unsigned char *due)
{
    for (int i = 0; i < probes->count; i++) {
        probes->near[i].due = probes->near[i].used && (due == NULL || due[i]);
        probes->near[i].count = 0;
    }
    SLUICE_TRY(sluice_near_map_gather(&probes->map, probes->near, probes->count, p));
    for (int i = 0; i < probes->count; i++) {
        struct probe *q = &probes->probe[i];
        const struct sluice_near *near = &probes->near[i];
        if (due && !due[i])
            continue;
        switch (q->config->kind) {
        case SLUICE_PROBE_FRONT:
            measure_front(probes, q, p);
            break;
        case SLUICE_PROBE_FORCE:
            memcpy(q->table.values, probes->forces.value[i],
                   (size_t)q->table.columns * sizeof *q->table.values);
            break;
        case SLUICE_PROBE_FLUX:
            q->table.values[0] = sluice_flux(probes->flux_kernel, near, p, q->from,
                                             sluice_flux_axis(q->from, q->to));
            break;
        case SLUICE_PROBE_HEIGHT:
        case SLUICE_PROBE_RUNUP:
            SLUICE_TRY(sluice_levels_measure(&probes->levels, i, near, p, time, q->table.values));
            break;
        case SLUICE_PROBE_PATCH:
            measure_sites(probes, q, near, p, q->sums);
            average_patch(q, q->table.values);
            break;
        default: /* point, line */
            measure_sites(probes, q, near, p, q->table.values);
        }
    }
    return SLUICE_OK;
}
