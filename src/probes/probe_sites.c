#include "probes/probe_sites.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"

static const double least_weight = 0.05; /* sum V W below which a point has no fluid near it */

sluice_status sluice_sites_create(struct sluice_sites *at)
{
    if (at->on_wall)
        SLUICE_ALLOCATE(at->lift, (size_t)at->sites * (size_t)at->rows, "sums of a probe");
    return SLUICE_OK;
}

void sluice_sites_destroy(struct sluice_sites *at)
{
    free(at->lift);
    at->lift = NULL;
}

/* The first and last site of row k. */
static void row_ends(const struct sluice_sites *at, int k, double from[3], double to[3])
{
    const double t = at->rows > 1 ? (double)k / (at->rows - 1) : 0;
    for (int a = 0; a < 3; a++) {
        from[a] = at->from[a] + t * (at->last[a] - at->from[a]);
        to[a] = at->to[a] + t * (at->last[a] - at->from[a]);
    }
}

/* The kernel of a particle; in a gas each has its own. */
struct kernel {
    int name, dimension;
    double h, support; /* m */
};

static struct kernel kernel_of(const struct sluice_sites_source *of, int64_t particle)
{
    const struct wcsph_params *water = &of->setup->physics.wcsph;
    const struct gas_params *gas = of->gas;
    if (!gas)
        return (struct kernel){water->kernel, water->dimension, water->h, of->support};
    const double h = of->p->length[particle];
    return (struct kernel){gas->kernel, gas->dimension, h, sluice_kernel_support(gas->kernel) * h};
}

/* Adds a particle to the sums of the sites of row k that are within its reach. */
static void add_to_row(const struct sluice_sites *at, const struct sluice_sites_source *of,
                       const struct sluice_near_entry *e, const struct kernel *kernel, int k,
                       double *sums)
{
    const struct sluice_host_particles *p = of->p;
    const int stride = at->values.count + 1;
    double from[3], to[3], site[3];
    int first, last;
    row_ends(at, k, from, to);
    sluice_near_sites(from, to, at->sites, kernel->support, e->x, &first, &last);
    for (int s = first; s <= last; s++) {
        sluice_near_site(from, to, at->sites, s, site);
        const double r = sluice_near_distance(e->x, site);
        if (r >= kernel->support)
            continue;
        const double volume = p->mass[e->particle] / p->density[e->particle],
                     w = volume * sluice_kernel_w(kernel->name, kernel->dimension, kernel->h, r);
        const size_t number = (size_t)k * (size_t)at->sites + (size_t)s;
        double *sum = sums + (size_t)stride * number;
        for (int v = 0; v < at->values.count; v++)
            sum[v] += w * sluice_probe_value_of(&at->values.value[v], p, e->particle,
                                                &of->image[e->image]);
        sum[at->values.count] += w;
        for (int a = 0; a < 3 && at->lift; a++)
            at->lift[number] += w * p->density[e->particle] * (site[a] - e->x[a]) * at->normal[a];
    }
}

/* g - a_w along the normal, m/s^2, of the wall at a site. */
static double pull_at(const struct sluice_sites *at, const struct sluice_sites_source *of,
                      size_t number)
{
    const struct sluice_motions *motions = &of->setup->physics.motions;
    double from[3], to[3], site[3], all[3], a_w[3] = {0, 0, 0}, pull = 0;
    sluice_motions_pull(motions, of->time, all);
    if (at->motion >= 0) {
        struct sluice_displacement now;
        row_ends(at, (int)(number / (size_t)at->sites), from, to);
        sluice_near_site(from, to, at->sites, (int)(number % (size_t)at->sites), site);
        sluice_motions_at(motions, at->motion, of->time, &now);
        sluice_motions_acceleration(motions, at->motion, &now, site, a_w);
    }
    for (int a = 0; a < of->setup->config->dimension; a++)
        pull += (all[a] - a_w[a]) * at->normal[a];
    return pull;
}

/* The pressure at the wall; see the head of probe_sites.h. */
static double carry(double mean, double lift)
{
    return mean + lift >= fmin(mean, 0) ? mean + lift : fmin(mean, 0);
}

/* The quotients of the sums at one site. */
static void divide(const struct sluice_sites *at, const struct sluice_sites_source *of,
                   size_t number, double *sum)
{
    const double weight = sum[at->values.count];
    for (int v = 0; v < at->values.count; v++) {
        sum[v] = weight < least_weight ? 0 : sum[v] / weight;
        if (at->lift && weight >= least_weight &&
            at->values.value[v].quantity == SLUICE_QUANTITY_PRESSURE)
            sum[v] = carry(sum[v], pull_at(at, of, number) * at->lift[number] / weight);
    }
}

/* Entries are in the order of the ids. */
void sluice_sites_measure(const struct sluice_sites *at, const struct sluice_sites_source *of,
                          double *sums)
{
    const size_t stride = (size_t)at->values.count + 1,
                 count = (size_t)at->sites * (size_t)at->rows;
    memset(sums, 0, count * stride * sizeof *sums);
    if (at->lift)
        memset(at->lift, 0, count * sizeof *at->lift);
    for (int64_t n = 0; n < of->near->count; n++) {
        const struct sluice_near_entry *e = &of->near->entry[n];
        int first, last;
        const struct kernel kernel = kernel_of(of, e->particle);
        sluice_near_sites(at->from, at->last, at->rows, kernel.support, e->x, &first, &last);
        for (int k = first; k <= last; k++)
            add_to_row(at, of, e, &kernel, k, sums);
    }
    for (size_t k = 0; k < count; k++)
        divide(at, of, k, sums + k * stride);
}

void sluice_sites_average(const struct sluice_sites *at, const double *sums, int round,
                          double values[2])
{
    double pressure = 0;
    int points = 0, wet = 0;
    for (int row = 0; row < at->rows; row++)
        for (int s = 0; s < at->sites; s++) {
            const double x = (2 * s + 1.0) / at->sites - 1, y = (2 * row + 1.0) / at->rows - 1,
                         *sum = sums + 2 * ((size_t)row * (size_t)at->sites + (size_t)s);
            if (round && x * x + y * y > 1)
                continue;
            points++;
            pressure += sum[0];
            wet += sum[1] >= least_weight;
        }
    values[0] = pressure / points;
    values[1] = (double)wet / points;
}
