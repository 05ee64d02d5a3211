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
#include "probes/probe_passage.h"
#include "probes/probe_sites.h"

struct probe {
    const struct sluice_probe *config;
    struct sluice_sites at; /* point: from; line: both ends; height: from is the foot; patch */
    double *sums;           /* [rows][sites][2] of a patch */
    struct sluice_probe_table table;
};

struct sluice_probes {
    const struct sluice_case *setup;
    const struct gas_params *gas; /* NULL: water */
    double support, spacing;      /* m; of a gas at least the widest support */
    int count;
    struct probe *probe;
    struct sluice_near *near; /* [count] */
    unsigned outputs;         /* of effects, that they measure */
    struct sluice_near_map map;
    struct sluice_forces forces;
    struct sluice_levels levels;
    struct sluice_flux_kernel *flux_kernel; /* NULL: no probe has a section */
    struct sluice_passage *passage;         /* [count] likewise */
    struct sluice_fetch fetch;
    struct sluice_box *box;           /* [count (SLUICE_NEAR_IMAGES + 2)] to be fetched */
    struct sluice_foremost *foremost; /* [2 count] */
};

const struct sluice_probe_table *sluice_probes_table(const struct sluice_probes *probes, int i)
{
    return &probes->probe[i].table;
}

struct sluice_probe_state sluice_probes_state(struct sluice_probes *probes, int which)
{
    if (!probes)
        return (struct sluice_probe_state){0};
    if (which == 0)
        return (struct sluice_probe_state){"ProbesAtRest", "m", probes->levels.rest, probes->count};
    return (struct sluice_probe_state){"ProbesPassed", "mixed", (double *)probes->passage,
                                       probes->count * SLUICE_PASSAGE_REALS};
}

void sluice_probes_share(struct sluice_probes *probes, struct sluice_threads *team)
{
    probes->forces.team = team;
}

static int has(const struct probe *q, unsigned property)
{
    return sluice_probe_has(q->config->kind, property);
}

/* A line with a row a point. */
static int is_long(const struct probe *q)
{
    return q->config->kind == SLUICE_PROBE_LINE && q->config->table == SLUICE_TABLE_LONG;
}

/* The columns of one site, as "pressure,weight" or "vx_3,vy_3,weight_3". */
static int site_header(const struct probe *q, int site, char *text, size_t size)
{
    char suffix[16] = "";
    int used = 0;
    if (has(q, SLUICE_PROBE_TAKES_POINTS) && !is_long(q))
        snprintf(suffix, sizeof suffix, "_%d", site);
    for (int k = 0; k < q->at.values.count; k++)
        used += snprintf(text + used, size - (size_t)used, "%s%s,", q->at.values.value[k].column,
                         suffix);
    return used +
           snprintf(text + used, size - (size_t)used, "%s%s", sluice_probe_weight->name, suffix);
}

static sluice_status make_header(struct probe *q, const struct sluice_probes *probes)
{
    enum { NUMBER_BYTES = 16, OWN_BYTES = 256 }; /* of a site: "_12," */
    const size_t values = (size_t)q->at.values.count + 1,
                 size = OWN_BYTES +
                        values * (SLUICE_COLUMN_NAME + NUMBER_BYTES) * (size_t)q->at.sites;
    const struct sluice_probe_kind_info *kind = &sluice_probe_kinds[q->config->kind];
    const int d = probes->setup->config->dimension,
              sites = is_long(q) ? 1 : q->at.sites; /* with columns of their own */
    SLUICE_ALLOCATE(q->table.header, size, "bytes of a probe's header");
    sluice_columns_header(kind->columns, d, q->table.header, size);
    if (is_long(q) || (q->config->kind == SLUICE_PROBE_HEIGHT && probes->levels.maker_count > 0))
        sluice_columns_header(kind->more, d, q->table.header, size);
    size_t used = strlen(q->table.header);
    for (int s = 0; has(q, SLUICE_PROBE_TAKES_QUANTITY) && s < sites; s++) {
        if (used > 0)
            q->table.header[used++] = ',';
        used += (size_t)site_header(q, s, q->table.header + used, size - used);
    }
    q->table.rows = is_long(q) ? q->at.sites : 1;
    q->table.columns = 1;
    for (const char *at = q->table.header; *at; at++)
        q->table.columns += *at == ',';
    return SLUICE_OK;
}

/* The box around a probe that holds all particles it needs. A flux needs those that pass through
 * its section, no farther to its sides; over a period no particle may pass twice. */
static void set_box(const struct sluice_probes *probes, const struct probe *q,
                    struct sluice_near *near)
{
    const struct sluice_grid_options *grid = &probes->setup->grid;
    const int flux = has(q, SLUICE_PROBE_IS_SECTION), up = grid->dimension - 1,
              level = has(q, SLUICE_PROBE_HAS_LEVEL);
    for (int axis = 0; axis < 3; axis++) {
        const int along = flux && axis != sluice_flux_axis(q->at.from, q->at.to);
        const double beyond = level ? 1.001 * probes->spacing : 0,
                     reach = along ? 0 : probes->support + beyond;
        const double a = q->at.from[axis], b = q->at.to[axis], across = q->at.last[axis] - a;
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
        q->at.from[a] = place->x[a] + along + across;
        q->at.to[a] = place->side[0][a] - along + across;
        q->at.last[a] = place->side[1][a] + along - across;
    }
    q->at.sites = place->points[0];
    q->at.rows = place->points[1];
    SLUICE_ALLOCATE(q->sums, 2 * (size_t)q->at.sites * (size_t)q->at.rows, "sums of a patch");
    return SLUICE_OK;
}

static sluice_status create_probe(struct sluice_probes *probes, int i)
{
    const struct sluice_case *c = probes->setup;
    const struct sluice_case_probe *place = &c->probes[i];
    struct probe *q = &probes->probe[i];
    q->config = &c->config->probes[i];
    q->table.name = q->config->name;
    memcpy(q->at.from, place->x, sizeof q->at.from);
    memcpy(q->at.to,
           has(q, SLUICE_PROBE_TAKES_ENDS | SLUICE_PROBE_TAKES_SIZE) ? place->to : place->x,
           sizeof q->at.to);
    memcpy(q->at.last, q->at.from, sizeof q->at.last);
    q->at.sites = has(q, SLUICE_PROBE_TAKES_POINTS) ? q->config->points : 1;
    q->at.rows = 1;
    sluice_probe_values_list(&q->at.values, c->config, q->config->quantity);
    probes->outputs |= sluice_probe_output_of(q->config->quantity);
    if (has(q, SLUICE_PROBE_TAKES_SIZE))
        SLUICE_TRY(create_patch(q, place, c->config->dimension));
    q->at.on_wall = place->on_wall;
    q->at.motion = place->on_wall ? place->motion : -1;
    memcpy(q->at.normal, place->normal, sizeof q->at.normal);
    SLUICE_TRY(sluice_sites_create(&q->at));
    SLUICE_TRY(make_header(q, probes));
    SLUICE_ALLOCATE(q->table.values, (size_t)q->table.rows * (size_t)q->table.columns,
                    "columns of a probe");
    probes->near[i].used = has(q, SLUICE_PROBE_NEEDS_FLUID);
    if (probes->near[i].used)
        set_box(probes, q, &probes->near[i]);
    return SLUICE_OK;
}

static sluice_status create_flux(struct sluice_probes *probes)
{
    if (!sluice_config_probe_of(probes->setup->config, SLUICE_PROBE_FLUX) &&
        !sluice_config_probe_of(probes->setup->config, SLUICE_PROBE_OVERTOPPING))
        return SLUICE_OK;
    SLUICE_ALLOCATE(probes->flux_kernel, 1, "kernel of fluxes");
    SLUICE_ALLOCATE(probes->passage, probes->count, "volumes that pass");
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
    SLUICE_TRY(sluice_levels_create(&probes->levels, c));
    for (int i = 0; i < probes->count; i++)
        SLUICE_TRY(create_probe(probes, i));
    SLUICE_TRY(sluice_forces_create(&probes->forces, c));
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

/* With a margin, so that few steps of a gas that expands make the boxes anew. */
sluice_status sluice_probes_prepare(struct sluice_probes *probes, double support, double time)
{
    sluice_forces_move(&probes->forces, time);
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
        sluice_sites_destroy(&s->probe[i].at);
        free(s->near[i].entry);
    }
    free(s->probe);
    free(s->near);
    free(s->box);
    free(s->foremost);
    free(s->flux_kernel);
    free(s->passage);
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
    SLUICE_TRY(sluice_forces_measure(&probes->forces, b, g, set, due));
    for (int i = 0; i < probes->count; i++)
        probes->near[i].due = due[i] && probes->near[i].used;
    int boxes = sluice_near_boxes(&probes->map, probes->near, probes->count, slack, probes->box);
    SLUICE_TRY(front_boxes(probes, b, g, fluid, due, slack, &boxes));
    fetch->set = fluid;
    fetch->box = probes->box;
    fetch->box_count = boxes;
    fetch->fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(VELOCITY) |
                    SLUICE_BIT(ID) | SLUICE_BIT(PHASE) | SLUICE_BIT(SCALAR) |
                    SLUICE_BIT(SMOOTHING) | sluice_effect_output_fields(probes->outputs);
    SLUICE_TRY(b->ops->fetch(b, g, fetch));
    const struct sluice_matter matter = {
        .water = probes->gas ? NULL : &probes->setup->physics.wcsph, .gas = probes->gas};
    const struct sluice_particle_copy copy = {.set_count = 1, .set = {*fetch}, .grid = *g};
    SLUICE_CHECK(!(sluice_effect_output_fields(probes->outputs) & ~fluid->fields), SLUICE_DEVICE,
                 "internal: quantity: no effect of this run has the field");
    p->outputs = probes->outputs;
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

/* A long table: the numbers of each point move behind its number and its place. They are measured
 * at the end of the table, so that none is written over before it has moved. */
static void measure_rows(struct probe *q, const struct sluice_sites_source *source, int dimension)
{
    const int own = 1 + dimension, each = q->table.columns - own, n = q->table.rows;
    double *from = q->table.values + (size_t)n * (size_t)own;
    sluice_sites_measure(&q->at, source, from);
    for (int s = 0; s < n; s++) {
        double *row = q->table.values + (size_t)s * (size_t)q->table.columns;
        memmove(row + own, from + (size_t)s * (size_t)each, (size_t)each * sizeof *row);
        row[0] = s;
        for (int a = 0; a < dimension; a++)
            row[1 + a] = q->at.from[a] + s * (q->at.to[a] - q->at.from[a]) / (n - 1);
    }
}

/* The width of a crest, m; in 2-D all is of a metre. Over a period no particle passes twice. */
static double width_of(const struct sluice_near *near, int axis, int dimension)
{
    return dimension == 3 ? near->high[1 - axis] - near->low[1 - axis] : 1;
}

static void measure_passage(const struct sluice_probes *probes, int i,
                            const struct sluice_host_particles *p, double time)
{
    const struct probe *q = &probes->probe[i];
    const int axis = sluice_flux_axis(q->at.from, q->at.to);
    const double flux = sluice_flux(probes->flux_kernel, &probes->near[i], p, q->at.from, axis);
    if (q->config->kind == SLUICE_PROBE_FLUX) {
        sluice_passage_flux(&probes->passage[i], time, flux, q->table.values);
        return;
    }
    const double over = (q->config->reverse ? -flux : flux) /
                        width_of(&probes->near[i], axis, p->dimension);
    sluice_passage_crest(&probes->passage[i], q->config, probes->spacing * probes->spacing, time,
                         over, q->table.values);
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
        const struct sluice_sites_source source = {
            probes->setup, probes->gas, probes->support, probes->map.image, near, p, time};
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
        case SLUICE_PROBE_OVERTOPPING:
            measure_passage(probes, i, p, time);
            break;
        case SLUICE_PROBE_HEIGHT:
            SLUICE_TRY(sluice_levels_height(&probes->levels, i, near, p, time, q->table.values));
            break;
        case SLUICE_PROBE_PROFILE:
            SLUICE_TRY(sluice_levels_profile(&probes->levels, i, &source, &q->at, q->table.values));
            break;
        case SLUICE_PROBE_RUNUP:
            SLUICE_TRY(sluice_runup_measure(&probes->levels, i, near, p, time, q->table.values));
            break;
        case SLUICE_PROBE_PATCH:
            sluice_sites_measure(&q->at, &source, q->sums);
            sluice_sites_average(&q->at, q->sums, q->config->round, q->table.values);
            break;
        default: /* point, line */
            if (is_long(q))
                measure_rows(q, &source, p->dimension);
            else
                sluice_sites_measure(&q->at, &source, q->table.values);
        }
    }
    return SLUICE_OK;
}
