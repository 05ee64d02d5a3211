#include "probes/probe_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"

static const double surface_weight = 0.4; /* sum V W that marks the free surface */
static const double least_sum = 0.1;      /* sum V W without which no wall beside hides water */
static const double least_depth = 0.75;   /* spacings: one, less what a level may be off */
enum { HEIGHT_BLOCK = 256, HEIGHT_BISECTIONS = 25 };

struct level {
    int count;                    /* 0: another kind of probe */
    struct sluice_bed_site *site; /* [count] */
};

/* What a point of a line stands on. */
struct stand {
    struct sluice_surface surface;
    int site;
};

struct sluice_levels {
    const struct sluice_case *setup;
    struct sluice_beds beds;
    struct level *level;       /* [probe count] */
    struct stand *stand;       /* [most sites] */
    struct sluice_near beside; /* the fluid within the support of a column */
    struct sluice_near sorted; /* the fluid along a line, by its piece and then by id */
    int64_t *first;            /* [pieces + 1] where a piece begins in it */
};

/* --- Levels --- */

static double horizontal_distance(const double a[3], const double b[3], int up)
{
    const double d0 = a[0] - b[0], d1 = up == 2 ? a[1] - b[1] : 0;
    return sqrt(d0 * d0 + d1 * d1);
}

static sluice_status add_entry(struct sluice_near *list, const struct sluice_near_entry *entry)
{
    if (list->count == list->capacity) {
        const int64_t capacity = 2 * list->capacity + 256;
        struct sluice_near_entry *larger = realloc(list->entry, (size_t)capacity * sizeof *larger);
        SLUICE_CHECK(larger, SLUICE_DEVICE, "no memory for %lld particles near a probe",
                     (long long)capacity);
        list->entry = larger;
        list->capacity = capacity;
    }
    list->entry[list->count++] = *entry;
    return SLUICE_OK;
}

/* Adds those of n entries that are within the support of the column through x, in their order. */
static sluice_status keep_column(struct sluice_levels *l, const double x[3],
                                 const struct sluice_near_entry *entry, int64_t n)
{
    const int up = l->setup->config->dimension - 1;
    for (int64_t k = 0; k < n; k++)
        if (horizontal_distance(entry[k].x, x, up) < l->setup->cutoff)
            SLUICE_TRY(add_entry(&l->beside, &entry[k]));
    return SLUICE_OK;
}

/* n heights above x. */
struct heights {
    double x[3], bottom, step;
    int n;
};

/* Adds to sum[k] what an entry gives to sum V W at bottom + k step. */
static void add_to_heights(const struct sluice_levels *l, const struct sluice_host_particles *p,
                           const struct sluice_near_entry *e, const struct heights *at, double *sum)
{
    const struct wcsph_params *params = &l->setup->physics.wcsph;
    const double support = l->setup->cutoff,
                 volume = p->mass[e->particle] / p->density[e->particle];
    const int up = p->dimension - 1;
    const double lowest = ceil((e->x[up] - support - at->bottom) / at->step),
                 highest = floor((e->x[up] + support - at->bottom) / at->step);
    double site[3] = {at->x[0], at->x[1], at->x[2]};
    for (int k = (int)fmax(0, lowest), last = (int)fmin(at->n - 1, highest); k <= last; k++) {
        site[up] = at->bottom + k * at->step;
        const double r = sluice_near_distance(e->x, site);
        if (r < support)
            sum[k] += volume * sluice_wcsph_w(params, r);
    }
}

static void sum_heights(const struct sluice_levels *l, const struct sluice_host_particles *p,
                        const struct heights *at, double *sum)
{
    memset(sum, 0, (size_t)at->n * sizeof *sum);
    for (int64_t k = 0; k < l->beside.count; k++)
        add_to_heights(l, p, &l->beside.entry[k], at, sum);
}

/* The water's level above a bed in the column whose fluid is `beside`, NAN on a dry one. Walks up
 * in steps of dp/2 from the height of the first row of particles, where the bed takes little from
 * the sum, until it falls below the surface's value, then bisects. A block of heights at a time:
 * the column's length is not known. */
static double level_above(const struct sluice_levels *l, const struct sluice_host_particles *p,
                          const double x[3], const struct sluice_surface *surface)
{
    const double step = l->setup->config->spacing / 2, start = surface->height + step;
    struct heights at = {{x[0], x[1], x[2]}, start, step, HEIGHT_BLOCK};
    double sum[HEIGHT_BLOCK];
    int k;
    for (;; at.bottom += HEIGHT_BLOCK * step) { /* ends: above the last particle the sums are 0 */
        sum_heights(l, p, &at, sum);
        for (k = 0; k < HEIGHT_BLOCK && sum[k] >= surface_weight; k++)
            continue;
        if (k < HEIGHT_BLOCK)
            break;
    }
    double high = at.bottom + k * step, low = high - step;
    if (high <= start)
        return NAN;
    at.n = 1;
    for (int i = 0; i < HEIGHT_BISECTIONS; i++) {
        at.bottom = 0.5 * (low + high);
        sum_heights(l, p, &at, sum);
        if (sum[0] >= surface_weight)
            low = at.bottom;
        else
            high = at.bottom;
    }
    return fmin(0.5 * (low + high), surface->ceiling);
}

/* The level over a bed, of the fluid in n entries. Beside a wall half of the kernel lies in it, and
 * deep water looks dry: a second look is one spacing away from the wall. */
static sluice_status find_level(struct sluice_levels *l, const struct sluice_host_particles *p,
                                const double x[3], const struct sluice_surface *surface,
                                const struct sluice_near_entry *entry, int64_t n, double *level)
{
    const double half = l->setup->config->spacing / 2;
    const struct heights start = {{x[0], x[1], x[2]}, surface->height + half, half, 1};
    double way[3], sum;
    l->beside.count = 0;
    SLUICE_TRY(keep_column(l, x, entry, n));
    *level = level_above(l, p, x, surface);
    if (!isnan(*level))
        return SLUICE_OK;
    sum_heights(l, p, &start, &sum);
    if (sum < least_sum)
        return SLUICE_OK;
    SLUICE_TRY(sluice_beds_away(&l->beds, x, surface->height, way));
    if (way[0] == 0 && way[1] == 0)
        return SLUICE_OK;
    const double away[3] = {x[0] + way[0], x[1] + way[1], x[2] + way[2]};
    l->beside.count = 0;
    SLUICE_TRY(keep_column(l, away, entry, n));
    *level = level_above(l, p, away, surface);
    return SLUICE_OK;
}

static sluice_status measure_height(struct sluice_levels *l, struct sluice_bed_site *site,
                                    const struct sluice_near *near,
                                    const struct sluice_host_particles *p, double *values)
{
    double level = NAN;
    struct sluice_surface surface = {0};
    int count;
    SLUICE_TRY(sluice_beds_take(&l->beds, site, &count));
    l->beside.count = 0;
    SLUICE_TRY(keep_column(l, site->x, near->entry, near->count));
    for (int k = 0; k < count && isnan(level); k++)
        if (sluice_beds_surface(&l->beds, k, &surface))
            level = level_above(l, p, site->x, &surface);
    if (isnan(level)) {
        SLUICE_TRY(sluice_beds_dry(&l->beds, site, &surface));
        SLUICE_TRY(find_level(l, p, site->x, &surface, near->entry, near->count, &level));
    }
    values[0] = level - l->beds.foot;
    values[1] = surface.height - l->beds.foot;
    values[2] = isnan(level) ? 0 : values[0] - values[1];
    return SLUICE_OK;
}

/* --- Run-up --- */

/* Length of a piece of a line: fluid that a point needs is in its own piece or the next ones. */
static double piece_length(const struct sluice_levels *l)
{
    return l->setup->cutoff + 2 * l->setup->config->spacing;
}

/* Which piece of a line a place is beside. */
static int64_t piece_of(const struct sluice_levels *l, const struct level *v, const double x[3],
                        int64_t pieces)
{
    const double *from = v->site[0].x, *to = v->site[v->count - 1].x;
    const int up = l->setup->config->dimension - 1;
    double along = 0;
    for (int a = 0; a < up; a++)
        along += (to[a] - from[a]) * (x[a] - from[a]);
    along /= horizontal_distance(from, to, up) * piece_length(l);
    return (int64_t)fmin((double)pieces - 1, fmax(0, floor(along) + 1));
}

static int64_t pieces_of(const struct sluice_levels *l, const struct level *v)
{
    const int up = l->setup->config->dimension - 1;
    return 3 + (int64_t)floor(horizontal_distance(v->site[0].x, v->site[v->count - 1].x, up) /
                              piece_length(l));
}

/* The fluid along the line, piece by piece: a point needs but three of them. */
static sluice_status sort_along(struct sluice_levels *l, const struct level *v,
                                const struct sluice_near *near)
{
    const int64_t pieces = pieces_of(l, v);
    memset(l->first, 0, ((size_t)pieces + 1) * sizeof *l->first);
    l->sorted.count = 0;
    for (int64_t k = 0; k < near->count; k++) {
        SLUICE_TRY(add_entry(&l->sorted, &near->entry[k])); /* makes room */
        l->first[piece_of(l, v, near->entry[k].x, pieces) + 1]++;
    }
    for (int64_t i = 0; i < pieces; i++)
        l->first[i + 1] += l->first[i];
    for (int64_t k = 0; k < near->count; k++)
        l->sorted.entry[l->first[piece_of(l, v, near->entry[k].x, pieces)]++] = near->entry[k];
    for (int64_t i = pieces; i > 0; i--)
        l->first[i] = l->first[i - 1];
    l->first[0] = 0;
    return SLUICE_OK;
}

/* The highest first; of those on one height the last of the line. */
static int highest_first(const void *a, const void *b)
{
    const struct stand *x = a, *y = b;
    const double one = x->surface.height, other = y->surface.height;
    return one != other ? (one > other ? -1 : 1) : y->site - x->site;
}

static sluice_status find_surfaces(struct sluice_levels *l, const struct level *v)
{
    const int up = l->setup->config->dimension - 1;
    int count;
    for (int s = 0; s < v->count; s++) {
        SLUICE_TRY(sluice_beds_take(&l->beds, &v->site[s], &count));
        l->stand[s].surface = sluice_beds_nearest(&l->beds, v->site[s].x[up]);
        l->stand[s].site = s;
    }
    return SLUICE_OK;
}

static sluice_status measure_runup(struct sluice_levels *l, const struct level *v,
                                   const struct sluice_near *near,
                                   const struct sluice_host_particles *p, double *values)
{
    const int up = l->setup->config->dimension - 1;
    const double wanted = least_depth * l->setup->config->spacing;
    const int64_t pieces = pieces_of(l, v);
    double level = NAN;
    SLUICE_TRY(find_surfaces(l, v));
    SLUICE_TRY(sort_along(l, v, near));
    qsort(l->stand, (size_t)v->count, sizeof *l->stand, highest_first);
    for (int a = 0; a <= up; a++)
        values[a] = NAN;
    for (int s = 0; s < v->count && isnan(values[0]); s++) {
        const struct sluice_surface *surface = &l->stand[s].surface;
        const double *x = v->site[l->stand[s].site].x;
        const int64_t piece = piece_of(l, v, x, pieces), from = l->first[piece > 0 ? piece - 1 : 0],
                      to = l->first[piece + 2 < pieces ? piece + 2 : pieces];
        SLUICE_TRY(find_level(l, p, x, surface, l->sorted.entry + from, to - from, &level));
        if (!(level - surface->height >= wanted))
            continue;
        values[0] = surface->height - l->beds.foot;
        for (int a = 0; a < up; a++)
            values[1 + a] = x[a];
    }
    return SLUICE_OK;
}

sluice_status sluice_levels_measure(struct sluice_levels *l, int probe,
                                    const struct sluice_near *near,
                                    const struct sluice_host_particles *p, double time,
                                    double *values)
{
    const struct level *v = &l->level[probe];
    sluice_walls_move(l->beds.walls, time);
    return l->setup->config->probes[probe].kind == SLUICE_PROBE_HEIGHT
               ? measure_height(l, v->site, near, p, values)
               : measure_runup(l, v, near, p, values);
}

sluice_status sluice_levels_beds(struct sluice_levels *l, int probe, double *low, double *high)
{
    const struct level *v = &l->level[probe];
    const int height = l->setup->config->probes[probe].kind == SLUICE_PROBE_HEIGHT;
    const int up = l->setup->config->dimension - 1;
    int count;
    sluice_walls_move(l->beds.walls, 0);
    *low = INFINITY;
    *high = -INFINITY;
    for (int s = 0; s < v->count; s++) {
        struct sluice_surface surface;
        SLUICE_TRY(sluice_beds_take(&l->beds, &v->site[s], &count));
        surface = sluice_beds_nearest(&l->beds, v->site[s].x[up]);
        if (height)
            SLUICE_TRY(sluice_beds_dry(&l->beds, &v->site[s], &surface));
        const double bed = surface.height - l->beds.foot;
        *low = fmin(*low, bed);
        *high = fmax(*high, bed);
    }
    return SLUICE_OK;
}

/* --- Creation --- */

static sluice_status create_sites(struct sluice_levels *l, struct level *v,
                                  const struct sluice_case_probe *place, int count)
{
    v->site = calloc((size_t)count, sizeof *v->site);
    SLUICE_CHECK(v->site, SLUICE_DEVICE, "no memory for the %d points of a probe", count);
    v->count = count;
    for (int s = 0; s < count; s++) {
        const double t = count > 1 ? (double)s / (count - 1) : 0;
        double x[3];
        for (int a = 0; a < 3; a++)
            x[a] = count > 1 ? place->x[a] + t * (place->to[a] - place->x[a]) : place->x[a];
        SLUICE_TRY(
            sluice_bed_site_create(&l->beds, x, s > 0 ? &v->site[s - 1] : NULL, &v->site[s]));
    }
    return SLUICE_OK;
}

static int sites_of(const struct sluice_probe *probe)
{
    return probe->kind == SLUICE_PROBE_HEIGHT  ? 1
           : probe->kind == SLUICE_PROBE_RUNUP ? probe->points
                                               : 0;
}

static sluice_status create(struct sluice_levels *l)
{
    const struct sluice_case *c = l->setup;
    const int n = c->config->probe_count;
    int most = 0;
    int64_t pieces = 0;
    l->level = calloc((size_t)n, sizeof *l->level);
    SLUICE_CHECK(l->level, SLUICE_DEVICE, "no memory for %d probes", n);
    SLUICE_TRY(sluice_beds_create(&l->beds, c));
    for (int i = 0; i < n; i++) {
        const int sites = sites_of(&c->config->probes[i]);
        if (sites == 0)
            continue;
        SLUICE_TRY(create_sites(l, &l->level[i], &c->probes[i], sites));
        most = sites > most ? sites : most;
        if (sites > 1 && pieces_of(l, &l->level[i]) > pieces)
            pieces = pieces_of(l, &l->level[i]);
    }
    l->stand = calloc((size_t)most + 1, sizeof *l->stand);
    l->first = calloc((size_t)pieces + 1, sizeof *l->first);
    SLUICE_CHECK(l->stand && l->first, SLUICE_DEVICE, "no memory for probes of levels");
    return SLUICE_OK;
}

sluice_status sluice_levels_create(struct sluice_levels **out, const struct sluice_case *c)
{
    *out = NULL;
    if (!sluice_config_probe_of(c->config, SLUICE_PROBE_HEIGHT) &&
        !sluice_config_probe_of(c->config, SLUICE_PROBE_RUNUP))
        return SLUICE_OK;
    struct sluice_levels *l = calloc(1, sizeof *l);
    SLUICE_CHECK(l, SLUICE_DEVICE, "no memory for probes of levels");
    l->setup = c;
    const sluice_status status = create(l);
    if (status != SLUICE_OK) {
        sluice_levels_destroy(&l);
        return status;
    }
    *out = l;
    return SLUICE_OK;
}

void sluice_levels_destroy(struct sluice_levels **levels)
{
    struct sluice_levels *l = *levels;
    if (!l)
        return;
    for (int i = 0; l->level && i < l->setup->config->probe_count; i++) {
        for (int s = 0; s < l->level[i].count; s++)
            free(l->level[i].site[s].resting.span);
        free(l->level[i].site);
    }
    free(l->level);
    free(l->stand);
    free(l->beside.entry);
    free(l->sorted.entry);
    free(l->first);
    sluice_beds_destroy(&l->beds);
    free(l);
    *levels = NULL;
}
