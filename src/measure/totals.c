#include "measure/totals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/registry.h"
#include "kernels/types/potential.h"
#include "probes/probe_flux.h"
#include "snapshots/snapshot.h"

enum { DIGITS = 12 };

const struct sluice_column sluice_total_columns[SLUICE_TOTAL_COUNT + 1] = {
#define X(id, name, unit, what) {name, NULL, unit, what},
    SLUICE_TOTALS(X)
#undef X
};

const char *sluice_total_name(int total)
{
    return sluice_total_columns[total].name;
}

/* In 2-D of a metre of depth. */
const char *sluice_total_unit(int total, int dimension)
{
    static const char *const flat[SLUICE_TOTAL_COUNT] = {
        [SLUICE_TOTAL_MASS] = "kg/m",          [SLUICE_TOTAL_VOLUME] = "m^2",
        [SLUICE_TOTAL_KINETIC] = "J/m",        [SLUICE_TOTAL_POTENTIAL] = "J/m",
        [SLUICE_TOTAL_INTERNAL] = "J/m",       [SLUICE_TOTAL_MOMENTUM_X] = "kg/s",
        [SLUICE_TOTAL_MOMENTUM_Y] = "kg/s",    [SLUICE_TOTAL_VOLUME_FLOW] = "m^2/s",
        [SLUICE_TOTAL_MASS_FLOW] = "kg/(m s)",
    };
    return dimension == 2 && flat[total] ? flat[total] : sluice_total_columns[total].unit;
}

/* --- Choosing --- */

static int has_column(const struct sluice_totals *t, int total)
{
    const struct sluice_config *config = &t->run->config;
    const int atoms = config->model == SLUICE_MODEL_LJ,
              flows = total == SLUICE_TOTAL_VOLUME_FLOW || total == SLUICE_TOTAL_MASS_FLOW;
    if (flows != t->is_flow || (config->dimension == 2 && (total == SLUICE_TOTAL_MOMENTUM_Z ||
                                                           total == SLUICE_TOTAL_CENTRE_Z)))
        return 0;
    /* Atoms have no volume, and the energy of their pairs is not in a snapshot. */
    return !atoms || (total != SLUICE_TOTAL_VOLUME && total != SLUICE_TOTAL_VOLUME_FLOW &&
                      total != SLUICE_TOTAL_INTERNAL);
}

void sluice_totals_begin(struct sluice_totals *t)
{
    t->columns = 0;
    for (int k = 0; k < SLUICE_TOTAL_COUNT; k++)
        if (has_column(t, k))
            t->column[t->columns++] = k;
    t->choice.reads |= SLUICE_ARRAY_BIT(VELOCITY);
    if (t->run->config.model == SLUICE_MODEL_GAS)
        t->choice.reads |= SLUICE_ARRAY_BIT(INTERNAL_ENERGY);
    if (t->run->config.two_fluids.used)
        t->choice.reads |= SLUICE_ARRAY_BIT(PHASE);
}

int sluice_totals_has_height(const struct sluice_totals *t, int axis)
{
    return !t->is_flow && axis < t->run->config.dimension && !t->run->header.periodic[axis] &&
           t->run->config.gravity[axis] != 0;
}

/* --- Summing --- */

/* The constants for the energies of a snapshot's particles. */
struct energies {
    const struct sluice_finished_run *run;
    struct sluice_physics physics; /* of water: the parameters of both fluids alone */
    double gravity[3];             /* m/s^2; 0 along periodic axes */
};

static void set_energies(struct energies *e, const struct sluice_finished_run *run)
{
    const struct sluice_config *config = &run->config;
    memset(e, 0, sizeof *e);
    e->run = run;
    for (int a = 0; a < config->dimension; a++)
        e->gravity[a] = run->header.periodic[a] ? 0 : config->gravity[a];
    if (config->model != SLUICE_MODEL_WCSPH)
        return;
    e->physics.config = config;
    sluice_case_set_water(&e->physics);
    e->physics.wcsph.sound_speed = run->header.sound_speed; /* 0 in the config: found by the run */
    sluice_case_set_second_speed(&e->physics);
}

/* J/kg, of gravity and central forces. */
static double potential_of(const struct energies *e, const double x[3])
{
    const struct sluice_config *config = &e->run->config;
    double d[3] = {0, 0, 0};
    for (int a = 0; a < config->dimension; a++)
        d[a] = x[a] - e->run->header.low[a];
    double phi = gravity_potential(config->dimension, e->gravity, d);
    for (int k = 0; k < config->central_count; k++) {
        for (int a = 0; a < config->dimension; a++)
            d[a] = x[a] - config->centrals[k].centre[a];
        phi += central_potential(config->dimension, config->centrals[k].strength, d);
    }
    return phi;
}

/* J/kg: of a gas its u, of water the elastic energy. */
static double internal_of(const struct energies *e, int64_t i)
{
    const struct sluice_host_particles *p = &e->run->particle;
    if (e->run->config.model == SLUICE_MODEL_GAS)
        return p->energy[i];
    const int two = e->run->config.two_fluids.used && p->phase && p->phase[i] == 2;
    const struct wcsph_params *water = two ? &e->physics.second : &e->physics.wcsph;
    return sluice_wcsph_elastic_energy(water, p->density[i] / water->rho0 - 1);
}

static int is_finite(const struct sluice_host_particles *p, int64_t i)
{
    double sum = p->mass[i] + (p->has_density ? p->density[i] : 0);
    for (int a = 0; a < 3; a++)
        sum += p->x[i][a] + p->velocity[i][a];
    return isfinite(sum);
}

static int is_in_box(const struct sluice_totals *t, const double x[3])
{
    for (int a = 0; t->has_box && a < t->run->config.dimension; a++)
        if (!(x[a] >= t->box.low[a] && x[a] <= t->box.high[a]))
            return 0;
    return 1;
}

static void add_to_box(const struct sluice_totals *t, const struct energies *e, int64_t i,
                       int is_wall, double *sum)
{
    const struct sluice_host_particles *p = &t->run->particle;
    const double m = p->mass[i], *v = p->velocity[i], v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (!is_in_box(t, p->x[i]))
        return;
    sum[SLUICE_TOTAL_PARTICLES]++;
    sum[SLUICE_TOTAL_MASS] += m;
    sum[SLUICE_TOTAL_VOLUME] += p->has_density ? m / p->density[i] : 0;
    sum[SLUICE_TOTAL_KINETIC] += 0.5 * m * v2;
    sum[SLUICE_TOTAL_POTENTIAL] += m * potential_of(e, p->x[i]);
    if (p->has_density && !is_wall)
        sum[SLUICE_TOTAL_INTERNAL] += m * internal_of(e, i);
    for (int a = 0; a < 3; a++) {
        sum[SLUICE_TOTAL_MOMENTUM_X + a] += m * v[a];
        sum[SLUICE_TOTAL_CENTRE_X + a] += m * p->x[i][a];
    }
    sum[SLUICE_TOTAL_MAX_SPEED] = fmax(sum[SLUICE_TOTAL_MAX_SPEED], sqrt(v2));
}

/* A section, and the kernel over its plane of h = 1. */
struct section {
    struct sluice_flux_kernel kernel;
    struct sluice_near_image image[SLUICE_NEAR_IMAGES];
    int images, axis;
    double low[3], high[3];
};

static struct section section_of(const struct sluice_totals *t)
{
    const struct sluice_finished_run *run = t->run;
    const struct wcsph_params unit = {
        .dimension = run->config.dimension, .kernel = run->kernel, .h = 1};
    struct section s = {.axis = sluice_flux_axis(t->box.low, t->box.high)};
    sluice_flux_kernel_make(&s.kernel, &unit, sluice_kernel_support(run->kernel));
    s.images = sluice_near_images(&run->grid, s.image);
    for (int a = 0; a < 3; a++) {
        s.low[a] = fmin(t->box.low[a], t->box.high[a]);
        s.high[a] = fmax(t->box.low[a], t->box.high[a]);
        if (a != s.axis && run->grid.periodic[a]) /* no particle passes twice */
            s.high[a] = fmin(s.high[a], s.low[a] + run->grid.high[a] - run->grid.low[a]);
    }
    return s;
}

static void add_to_flow(const struct sluice_totals *t, const struct section *s, int64_t i,
                        double *sum)
{
    const struct sluice_finished_run *run = t->run;
    const struct sluice_host_particles *p = &run->particle;
    const double h = run->h > 0 ? run->h : p->length[i];
    for (int k = 0; k < s->images; k++) {
        const struct sluice_near_image *image = &s->image[k];
        double x[3];
        int passes = 1;
        for (int a = 0; a < run->config.dimension; a++) {
            x[a] = image->sign[a] * p->x[i][a] + image->shift[a];
            passes &= a == s->axis || (x[a] >= s->low[a] && x[a] < s->high[a]);
        }
        if (!passes)
            continue;
        const double u = image->sign[s->axis] * p->velocity[i][s->axis],
                     w = sluice_flux_kernel_at(&s->kernel, fabs(x[s->axis] - s->low[s->axis]) / h) /
                         h;
        sum[SLUICE_TOTAL_VOLUME_FLOW] += p->has_density ? p->mass[i] / p->density[i] * u * w : 0;
        sum[SLUICE_TOTAL_MASS_FLOW] += p->mass[i] * u * w;
    }
}

/* Without particles there is neither centre nor greatest speed. */
static void finish(const struct sluice_totals *t, double *sum, struct sluice_totals_row *row)
{
    for (int a = 0; a < 3; a++)
        sum[SLUICE_TOTAL_CENTRE_X + a] /= sum[SLUICE_TOTAL_MASS]; /* 0/0 */
    if (sum[SLUICE_TOTAL_PARTICLES] == 0)
        sum[SLUICE_TOTAL_MAX_SPEED] = NAN;
    for (int c = 0; c < t->columns; c++)
        row->value[c] = sum[t->column[c]];
}

sluice_status sluice_totals_at(const struct sluice_totals *t, int64_t number,
                               struct sluice_totals_row *row)
{
    struct sluice_measure_filter filter;
    double sum[SLUICE_TOTAL_COUNT] = {0};
    SLUICE_TRY(sluice_finished_run_read(t->run, number, &t->choice));
    SLUICE_TRY(sluice_measure_filter_make(&filter, t->run, &t->choice));
    struct energies energies;
    set_energies(&energies, t->run);
    const struct section section = t->is_flow ? section_of(t) : (struct section){.images = 0};
    *row = (struct sluice_totals_row){.step = t->run->header.step, .time = t->run->header.time};
    for (int64_t i = 0; i < t->run->particle.count; i++) {
        const unsigned what = sluice_measure_filter_of(&filter, i);
        if (!(what & SLUICE_MEASURE_COUNTS))
            continue;
        if (!is_finite(&t->run->particle, i))
            row->lost++;
        else if (t->is_flow)
            add_to_flow(t, &section, i, sum);
        else
            add_to_box(t, &energies, i, (what & SLUICE_MEASURE_IS_WALL) != 0, sum);
    }
    finish(t, sum, row);
    return SLUICE_OK;
}

sluice_status sluice_totals_open(const struct sluice_totals *t, const char *path,
                                 struct sluice_measure_table *table)
{
    char header[1024];
    size_t used = 0;
    for (int c = 0; c < t->columns; c++)
        used += (size_t)snprintf(header + used, sizeof header - used, "%s%s", c ? "," : "",
                                 sluice_total_columns[t->column[c]].name);
    SLUICE_CHECK(strlen(path) > 4 && strcmp(path + strlen(path) - 4, ".csv") == 0, SLUICE_BAD_INPUT,
                 "--out %s: sums are a table: give a name that ends with .csv", path);
    return sluice_measure_table_open(table, path, header, DIGITS);
}
