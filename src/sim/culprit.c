/* The particle at fault in a blow-up, and its surroundings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"
#include "snapshots/snapshot_particles.h"
#include "sim/sim_internal.h"

/* |rho/rho0 - 1| of a collapsed fluid. */
enum { DENSITY_LIMIT = 1 };

double sluice_sim_distance(const struct sluice_sim *sim, const double x[3], const double y[3])
{
    double d2 = 0;
    for (int c = 0; c < sim->grid.dimension; c++) {
        double d = x[c] - y[c];
        const double length = sim->grid.high[c] - sim->grid.low[c];
        if (sim->grid.periodic[c])
            d -= length * rint(d / length);
        d2 += d * d;
    }
    return sqrt(d2);
}

int sluice_sim_collapsed(const struct sluice_sim *sim)
{
    const struct sluice_extremes *s = &sim->summary[SLUICE_FLUID].extremes;
    return sim->config->model == SLUICE_MODEL_WCSPH &&
           (s->min_scalar <= -DENSITY_LIMIT || s->max_scalar >= DENSITY_LIMIT);
}

const struct sluice_flight *sluice_sim_step_ahead(const struct sluice_sim *sim)
{
    return sim->queued > sim->step ? &sim->flight[sim->queued % SLUICE_IN_FLIGHT] : NULL;
}

static struct sluice_near near_of(const struct sluice_host_particles *p, int64_t i)
{
    struct sluice_near n = {.id = p->id[i], .type = p->type[i], .density = NAN, .pressure = NAN};
    memcpy(n.x, p->x[i], sizeof n.x);
    memcpy(n.velocity, p->velocity[i], sizeof n.velocity);
    if (p->has_density) {
        n.density = p->density[i];
        n.pressure = p->pressure[i];
    }
    n.length = p->length ? p->length[i] : 0;
    return n;
}

/* A rank's worst particle. */
struct candidate {
    int64_t fluid; /* particles of this rank; 0: it has no candidate */
    int is_first;  /* it is the one of the smallest id that is not finite */
    double badness;
    struct sluice_near particle;
};

static double badness_of(const struct sluice_sim *sim, const struct sluice_near *n, uint32_t phase)
{
    const double *v = n->velocity,
                 badness =
                     sluice_sim_collapsed(sim)
                         ? fabs(n->density / wcsph_of(&sim->setup->physics.wcsph, phase)->rho0 - 1)
                         : v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return n->length < 0 ? INFINITY : isnan(badness) ? -1 : badness;
}

static int is_worse(const struct candidate *a, const struct candidate *b)
{
    if (a->is_first != b->is_first)
        return a->is_first;
    return a->badness > b->badness || (a->badness == b->badness && a->particle.id < b->particle.id);
}

/* The particle at fault, in this order: one of a gas without a smoothing length; the smallest id
 * that is not finite; the worst density in a collapsed fluid; the fastest. The smallest id decides
 * between equals. */
static struct candidate find_worst(const struct sluice_sim *sim,
                                   const struct sluice_host_particles *p)
{
    const struct sluice_extremes *s =
        sluice_sim_step_ahead(sim) ? &sluice_sim_step_ahead(sim)->reduce[SLUICE_FLUID].out.extremes
                                   : &sim->summary[SLUICE_FLUID].extremes;
    struct candidate worst = {0};
    for (int64_t i = 0; i < p->type_count[SLUICE_FLUID]; i++) {
        struct candidate c = {.particle = near_of(p, i)};
        c.is_first = c.particle.length < 0 ||
                     (s->not_finite > 0 && (int64_t)c.particle.id == s->first_not_finite);
        c.badness = badness_of(sim, &c.particle, p->phase && p->phase[i] == 2);
        if (i == 0 || is_worse(&c, &worst))
            worst = c;
    }
    worst.fluid = p->type_count[SLUICE_FLUID];
    return worst;
}

/* Collective: the worst of the ranks' candidates. */
static sluice_status find_culprit(const struct sluice_sim *sim,
                                  const struct sluice_host_particles *p,
                                  struct sluice_surroundings *s)
{
    struct candidate worst = find_worst(sim, p), *of_rank;
    size_t bytes;
    void *all;
    SLUICE_TRY(sluice_comm_gather(sluice_world(), &worst, sizeof worst, 1, &all, &bytes));
    of_rank = all;
    worst.fluid = 0;
    for (size_t r = 0; r < bytes / sizeof *of_rank; r++) {
        if (of_rank[r].fluid > 0 && (s->fluid == 0 || is_worse(&of_rank[r], &worst)))
            worst = of_rank[r];
        s->fluid += of_rank[r].fluid;
    }
    s->culprit = worst.particle;
    free(all);
    return SLUICE_OK;
}

/* Lists those of this rank's particles that are near the culprit, and it itself. */
static sluice_status list_near(const struct sluice_sim *sim, const struct sluice_host_particles *p,
                               const struct sluice_near *culprit, struct sluice_near **near,
                               int64_t *count)
{
    int64_t capacity = 0;
    for (int64_t i = 0; i < p->count; i++) {
        if (p->id[i] != culprit->id &&
            !(sluice_sim_distance(sim, culprit->x, p->x[i]) < 2 * sim->grid.cutoff))
            continue;
        SLUICE_GROW(*near, *count, capacity, "particles near one that blew up");
        (*near)[(*count)++] = near_of(p, i);
    }
    return SLUICE_OK;
}

/* Gathers the near particles of all ranks; collective. */
static sluice_status find_near(const struct sluice_sim *sim, const struct sluice_host_particles *p,
                               struct sluice_surroundings *s)
{
    struct sluice_near *own = NULL;
    int64_t count = 0;
    size_t bytes = 0;
    void *all = NULL;
    sluice_status status = list_near(sim, p, &s->culprit, &own, &count);
    if (status == SLUICE_OK)
        status = sluice_comm_gather(sluice_world(), own, (size_t)count * sizeof *own, 1, &all,
                                    &bytes);
    free(own);
    s->near = all;
    s->count = (int64_t)(bytes / sizeof *own);
    if (all)
        qsort(all, (size_t)s->count, sizeof *own, sluice_sim_by_id);
    return status;
}

sluice_status sluice_sim_look_around(struct sluice_sim *sim, struct sluice_surroundings *s)
{
    struct sluice_host_particles p = {0};
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    const int n = sluice_sim_sets(sim, SLUICE_WALL + 1, sets);
    memset(s, 0, sizeof *s);
    sluice_status status = sluice_host_particles_collect(&p, &sim->backend, &sim->grid, sets, n,
                                                         sluice_sim_matter(sim));
    if (status == SLUICE_OK)
        status = find_culprit(sim, &p, s);
    if (status == SLUICE_OK && s->fluid > 0)
        status = find_near(sim, &p, s);
    sluice_host_particles_destroy(&p);
    return status;
}

const struct sluice_column sluice_blow_up_columns[] = {
    {"id", NULL, "1", "number of the particle; rows are in this order"},
    {"type", NULL, "1", "0 fluid, 1 wall, 2 ghost node"},
    {"x,y,z", NULL, "m", "place; z also in 2-D"},
    {"vx,vy,vz", NULL, "m/s", "velocity; vz also in 2-D"},
    {"density", NULL, "kg/m^3", "density"},
    {"pressure", NULL, "Pa", "pressure"},
    {"distance", NULL, "m", "from the particle at fault"},
    {0}};

static void print_surroundings(const struct sluice_sim *sim, const struct sluice_surroundings *s,
                               FILE *out)
{
    char header[256] = "";
    fprintf(out, "# step %lld, t = %.17g: particle %lld and all within two cutoffs (%.9g)\n%s\n",
            (long long)sim->queued,
            sluice_sim_step_ahead(sim) ? sluice_sim_step_ahead(sim)->time : sim->time,
            (long long)s->culprit.id, 2 * sim->grid.cutoff,
            sluice_columns_header(sluice_blow_up_columns, 3, header, sizeof header));
    for (const struct sluice_near *n = s->near; n < s->near + s->count; n++)
        fprintf(out, "%lld,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", (long long)n->id,
                n->type, n->x[0], n->x[1], n->x[2], n->velocity[0], n->velocity[1], n->velocity[2],
                n->density, n->pressure, sluice_sim_distance(sim, s->culprit.x, n->x));
}

sluice_status sluice_sim_dump(struct sluice_sim *sim, FILE *out)
{
    struct sluice_surroundings s;
    const sluice_status status = sluice_sim_look_around(sim, &s);
    if (status == SLUICE_OK && s.fluid == 0)
        fprintf(out, "# step %lld: no fluid is left\n", (long long)sim->queued);
    else if (status == SLUICE_OK)
        print_surroundings(sim, &s, out);
    free(s.near);
    return status;
}
