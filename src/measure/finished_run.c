#include "measure/finished_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/warnings.h"
#include "files/run_files.h"
#include "kernels/registry.h"

enum { PATH_SIZE = 4096 };

/* --- Opening --- */

static sluice_status path_of(const struct sluice_finished_run *run, int64_t number,
                             char path[PATH_SIZE])
{
    return sluice_run_file_path(run->folder, run->series.entry[number].name, path, PATH_SIZE);
}

/* Kernel and smoothing length. Atoms have none: their kernel is as wide as their cutoff. */
static void set_kernel(struct sluice_finished_run *run)
{
    const struct sluice_config *config = &run->config;
    run->kernel = config->kernel.name;
    run->h = config->model == SLUICE_MODEL_GAS ? 0 : config->kernel.h_over_dp * config->spacing;
    if (config->model != SLUICE_MODEL_LJ)
        return;
    run->kernel = SLUICE_KERNEL_WENDLAND_C2;
    run->h = sluice_pairs[config->pair.index].support(config->pair.params.bytes) /
             sluice_kernel_support(run->kernel);
}

static sluice_status read_config(struct sluice_finished_run *run)
{
    char path[PATH_SIZE], name[PATH_SIZE + 32], *text;
    SLUICE_TRY(path_of(run, 0, path));
    SLUICE_TRY(sluice_snapshot_read_config(path, &text));
    snprintf(name, sizeof name, "config in %s", path);
    const sluice_status status = sluice_config_parse(&run->config, text, name, NULL, 0, NULL);
    free(text);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_snapshot_read_header(path, &run->header));
    for (int a = 0; a < run->config.dimension; a++) {
        const int lattice = run->config.lattice.used; /* which sets the domain */
        run->low[a] = lattice ? run->header.low[a] : run->config.domain.min[a];
        run->high[a] = lattice ? run->header.high[a] : run->config.domain.max[a];
    }
    set_kernel(run);
    return SLUICE_OK;
}

sluice_status sluice_finished_run_open(struct sluice_finished_run *run, const char *folder)
{
    *run = (struct sluice_finished_run){.folder = folder};
    SLUICE_TRY(sluice_series_open(&run->series, &sluice_snapshot_series, folder));
    SLUICE_CHECK(run->series.count > 0, SLUICE_IO,
                 "%s: there are no snapshots in its %s: is it the folder of a run?", folder,
                 sluice_snapshot_series.name);
    return read_config(run);
}

void sluice_finished_run_close(struct sluice_finished_run *run)
{
    sluice_config_destroy(&run->config);
    sluice_series_close(&run->series);
    sluice_host_particles_destroy(&run->particle);
}

/* --- Choosing times --- */

static double time_of(const struct sluice_finished_run *run, int64_t k)
{
    return run->series.entry[k].time;
}

/* Half of the mean interval of snapshots: a time may be so far beyond the last one. */
static double slack_of(const struct sluice_finished_run *run)
{
    const int64_t n = run->series.count;
    return n > 1 ? 0.5 * (time_of(run, n - 1) - time_of(run, 0)) / (double)(n - 1) : 0;
}

static sluice_status out_of_range(const struct sluice_finished_run *run, const char *text,
                                  const char *what)
{
    const int64_t n = run->series.count;
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "--times %s: %s; the %lld snapshot%s of %s %s of t = %.6g to %.6g", text,
                       what, (long long)n, n == 1 ? "" : "s", run->folder, n == 1 ? "is" : "are",
                       time_of(run, 0), time_of(run, n - 1));
}

static sluice_status choose_range(const struct sluice_finished_run *run, const char *text,
                                  double from, double to, int64_t *chosen)
{
    const double slack = 1e-9 * fabs(to);
    int64_t found = 0;
    for (int64_t k = 0; k < run->series.count; k++)
        if (time_of(run, k) >= from - slack && time_of(run, k) <= to + slack) {
            chosen[k] = 1;
            found++;
        }
    if (found == 0)
        return out_of_range(run, text, "no snapshot is of these times");
    const double first = time_of(run, 0), last = time_of(run, run->series.count - 1);
    struct sluice_warnings warnings = {.out = stderr};
    if (from < first - slack_of(run) || to > last + slack_of(run))
        sluice_warn(&warnings, "--times %s: the snapshots of %s are of t = %.6g to %.6g", text,
                    run->folder, first, last);
    return SLUICE_OK;
}

static sluice_status choose_nearest(const struct sluice_finished_run *run, const char *text,
                                    double time, int64_t *chosen)
{
    const int64_t n = run->series.count;
    const double slack = slack_of(run);
    int64_t best = 0;
    if (time < time_of(run, 0) - slack || time > time_of(run, n - 1) + slack)
        return out_of_range(run, text, "a time is out of range");
    for (int64_t k = 1; k < n; k++)
        if (fabs(time_of(run, k) - time) < fabs(time_of(run, best) - time))
            best = k;
    chosen[best] = 1;
    return SLUICE_OK;
}

static sluice_status choose_times(const struct sluice_finished_run *run, const char *text,
                                  int64_t *chosen)
{
    for (const char *at = text; at; at = *at ? at + 1 : NULL) {
        char *end;
        const double from = strtod(at, &end);
        double to = from;
        const int range = end != at && *end == ':';
        if (range) {
            at = end + 1;
            to = strtod(at, &end);
        }
        SLUICE_CHECK(end != at && (*end == 0 || *end == ',') && isfinite(from) && isfinite(to),
                     SLUICE_BAD_INPUT,
                     "--times %s: give times in s, as 0.3,0.6 or 0.2:0.5, or all, or last", text);
        SLUICE_CHECK(from <= to, SLUICE_BAD_INPUT,
                     "--times %s: the range ends at %.9g, before it begins at %.9g", text, to,
                     from);
        SLUICE_TRY(range ? choose_range(run, text, from, to, chosen)
                         : choose_nearest(run, text, from, chosen));
        at = end;
    }
    return SLUICE_OK;
}

sluice_status sluice_finished_run_choose(const struct sluice_finished_run *run, const char *text,
                                         int64_t **number, int64_t *count)
{
    const int64_t n = run->series.count;
    sluice_status status = SLUICE_OK;
    *count = 0;
    SLUICE_ALLOCATE(*number, n, "snapshots"); /* first marks, then numbers */
    if (strcmp(text, "last") == 0 || strcmp(text, "all") == 0)
        for (int64_t k = text[0] == 'l' ? n - 1 : 0; k < n; k++)
            (*number)[k] = 1;
    else
        status = choose_times(run, text, *number);
    for (int64_t k = 0; k < n; k++)
        if ((*number)[k])
            (*number)[(*count)++] = k;
    if (status == SLUICE_OK)
        return SLUICE_OK;
    free(*number);
    *number = NULL;
    return status;
}

/* --- Reading --- */

/* The domain as the run had it: where periodic images are, and those behind the walls of a gas. */
static void set_grid(struct sluice_finished_run *run)
{
    const struct sluice_config *config = &run->config;
    run->grid = (struct sluice_grid_options){.dimension = config->dimension};
    for (int a = 0; a < 3; a++) {
        run->grid.low[a] = run->header.low[a];
        run->grid.high[a] = run->header.high[a];
        run->grid.periodic[a] = run->header.periodic[a] != 0;
    }
    for (int s = 0; s < config->shape_count && config->model == SLUICE_MODEL_GAS; s++)
        run->grid.walls |= config->shapes[s].sides;
}

sluice_status sluice_finished_run_read(struct sluice_finished_run *run, int64_t number,
                                       const struct sluice_measure_choice *choice)
{
    char path[PATH_SIZE];
    const int gas = run->config.model == SLUICE_MODEL_GAS;
    const struct sluice_snapshot_part part = {
        .arrays = choice->reads | SLUICE_ARRAY_BIT(POINTS) | SLUICE_ARRAY_BIT(MASS) |
                  SLUICE_ARRAY_BIT(DENSITY) | (gas ? SLUICE_ARRAY_BIT(LENGTH) : 0) |
                  (choice->shape ? SLUICE_ARRAY_BIT(SHAPE) : 0),
        .fluid_only = !choice->with_walls && !choice->shape};
    SLUICE_TRY(path_of(run, number, path));
    SLUICE_TRY(sluice_snapshot_read_part(path, &part, &run->particle, &run->header));
    SLUICE_CHECK(run->header.dimension == run->config.dimension, SLUICE_IO,
                 "%s: has dimension %lld, the run's first snapshot %d", path,
                 (long long)run->header.dimension, run->config.dimension);
    set_grid(run);
    return SLUICE_OK;
}

/* "water, tank" */
static void list_groups(const struct sluice_groups *g, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < g->count && used + 80 < size; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%.60s", k ? ", " : "",
                                 g->group[k].name);
}

sluice_status sluice_measure_filter_make(struct sluice_measure_filter *filter,
                                         const struct sluice_finished_run *run,
                                         const struct sluice_measure_choice *choice)
{
    const struct sluice_host_particles *p = &run->particle;
    char list[512];
    *filter = (struct sluice_measure_filter){.p = p,
                                             .fluid = p->type_count[SLUICE_FLUID],
                                             .with_walls = choice->with_walls,
                                             .group = -1};
    SLUICE_CHECK(!choice->with_walls ||
                     sluice_config_walls_have(&run->config, SLUICE_WALL_IN_PAIRS),
                 SLUICE_BAD_INPUT,
                 "--with-walls: the walls of this run (boundary.kind = \"%s\") are no part of "
                 "kernel sums; leave it out",
                 sluice_boundaries[run->config.boundary.kind].word);
    if (!choice->shape)
        return SLUICE_OK;
    SLUICE_CHECK(p->shape && p->groups, SLUICE_IO,
                 "--shape %s: the snapshots of this run have no names of shapes", choice->shape);
    filter->group = sluice_groups_find(p->groups, choice->shape);
    list_groups(p->groups, list, sizeof list);
    SLUICE_CHECK(filter->group >= 0, SLUICE_BAD_INPUT,
                 "--shape %s: this run has no shape of that name; it has %s", choice->shape, list);
    return SLUICE_OK;
}

unsigned sluice_measure_filter_of(const struct sluice_measure_filter *f, int64_t i)
{
    const int wall = i >= f->fluid,
              counts = f->group >= 0 ? f->p->shape[i] == f->group : !wall || f->with_walls;
    return (counts ? SLUICE_MEASURE_COUNTS : 0) | (wall ? SLUICE_MEASURE_IS_WALL : 0);
}

/* --- Listing --- */

/* The particles that are listed. */
struct listing {
    const struct sluice_finished_run *run;
    const struct sluice_measure_filter *filter;
    const struct sluice_measure_fields *fields;
    struct sluice_near_image image[SLUICE_NEAR_IMAGES];
    int images;
    double low[3], high[3]; /* of the places, m */
    double support;         /* of the kernel, in h */
    double atom;            /* volume of an atom, m^D; 0: particles have a density */
    int64_t count, capacity, lost;
    struct sluice_source *source;
    double *value;
};

/* Whether an image of particle i may reach a place. */
static int reaches(const struct listing *l, const double x[3], double reach)
{
    for (int a = 0; a < l->run->config.dimension; a++)
        if (x[a] < l->low[a] - reach || x[a] > l->high[a] + reach)
            return 0;
    return 1;
}

static sluice_status add_source(struct listing *l, const struct sluice_source *source, int64_t i,
                                const double sign[3])
{
    const struct sluice_measure_fields *f = l->fields;
    if (l->count == l->capacity) {
        const int64_t larger = l->capacity + l->capacity / 2 + 4096;
        void *sources = realloc(l->source, (size_t)larger * sizeof *l->source);
        l->source = sources ? sources : l->source;
        void *values = realloc(l->value, (size_t)larger * (size_t)(f->sums + 1) * sizeof *l->value);
        l->value = values ? values : l->value;
        SLUICE_CHECK(sources && values, SLUICE_DEVICE, "no memory for %lld particles",
                     (long long)larger);
        l->capacity = larger;
    }
    double *value = l->value + l->count * f->sums;
    l->source[l->count] = *source;
    for (int k = 0; k < f->sums; k++) {
        value[k] = sluice_measure_sum_of(f, k, &l->run->particle, i, sign);
        if (!isfinite(value[k])) {
            l->lost++;
            return SLUICE_OK;
        }
    }
    l->count++;
    return SLUICE_OK;
}

static sluice_status add_particle(struct listing *l, int64_t i, unsigned what)
{
    const struct sluice_host_particles *p = &l->run->particle;
    const double h = l->run->h > 0 ? l->run->h : p->length[i],
                 volume = l->atom > 0 ? l->atom : p->mass[i] / p->density[i];
    struct sluice_source source = {.inverse_h = 1 / h,
                                   .volume = volume,
                                   .fluid = !(what & SLUICE_MEASURE_IS_WALL) ||
                                            l->filter->group >= 0};
    if (!isfinite(p->x[i][0]) || !isfinite(p->x[i][1]) || !isfinite(p->x[i][2]) ||
        !isfinite(source.inverse_h) || !(volume > 0 && volume < INFINITY)) {
        l->lost++;
        return SLUICE_OK;
    }
    for (int k = 0; k < l->images; k++) {
        const struct sluice_near_image *image = &l->image[k];
        for (int a = 0; a < 3; a++)
            source.x[a] = image->sign[a] * p->x[i][a] + image->shift[a];
        if (reaches(l, source.x, l->support * h))
            SLUICE_TRY(add_source(l, &source, i, image->sign));
    }
    return SLUICE_OK;
}

/* The mean volume of an atom: the weight is 1 at the mean density of the domain. */
static double atom_volume(const struct sluice_finished_run *run)
{
    double volume = 1;
    for (int a = 0; a < run->config.dimension; a++)
        volume *= run->high[a] - run->low[a];
    return volume / (double)(run->particle.count > 0 ? run->particle.count : 1);
}

sluice_status sluice_finished_run_list(const struct sluice_finished_run *run,
                                       const struct sluice_measure_filter *filter,
                                       const struct sluice_measure_fields *fields,
                                       const double low[3], const double high[3],
                                       struct sluice_search *search, double *number, int64_t *lost)
{
    struct listing l = {.run = run,
                        .filter = filter,
                        .fields = fields,
                        .support = sluice_kernel_support(run->kernel)};
    memcpy(l.low, low, sizeof l.low);
    memcpy(l.high, high, sizeof l.high);
    l.images = sluice_near_images(&run->grid, l.image);
    l.atom = run->config.model == SLUICE_MODEL_LJ ? atom_volume(run) : 0;
    sluice_search_empty(search);
    search->dimension = run->config.dimension;
    search->kernel = run->kernel;
    search->sums = fields->sums;
    sluice_status status = SLUICE_OK;
    for (int64_t i = 0; i < run->particle.count && status == SLUICE_OK; i++) {
        const unsigned what = sluice_measure_filter_of(filter, i);
        if (what & SLUICE_MEASURE_COUNTS)
            status = add_particle(&l, i, what);
    }
    if (status == SLUICE_OK)
        status = sluice_search_fill(search, l.source, l.value, l.count);
    free(l.source);
    free(l.value);
    *number = l.atom > 0 ? 1 / l.atom : 0;
    *lost = l.lost;
    return status;
}
