/* Recognises a run that blew up, and reports the particle at fault and its surroundings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "snapshots/snapshot_particles.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* |rho/rho0 - 1| of a collapsed fluid. */
enum { DENSITY_LIMIT = 1 };

static double distance(const struct sluice_sim *sim, const struct sluice_host_particles *p,
                       int64_t i, int64_t j)
{
    double d2 = 0;
    for (int c = 0; c < sim->grid.dimension; c++) {
        double d = p->x[i][c] - p->x[j][c];
        const double length = sim->grid.high[c] - sim->grid.low[c];
        if (sim->grid.periodic[c])
            d -= length * rint(d / length);
        d2 += d * d;
    }
    return sqrt(d2);
}

static int collapsed(const struct sluice_sim *sim)
{
    const struct sluice_summary *s = &sim->summary[SLUICE_FLUID];
    return sim->config->model == SLUICE_MODEL_WCSPH &&
           (s->min_density <= -DENSITY_LIMIT || s->max_density >= DENSITY_LIMIT);
}

/* The last step queued, which the backend's particles are of; NULL: it is the booked one. Its
 * summary is filled after a sync. */
static const struct sluice_flight *step_ahead(const struct sluice_sim *sim)
{
    return sim->queued > sim->step ? &sim->flight[sim->queued % SLUICE_IN_FLIGHT] : NULL;
}

/* The particle at fault: the one of the smallest id that is not finite, the one with the worst
 * density in a collapsed fluid, or else the fastest; of equals that of the smallest id. */
static int64_t find_culprit(const struct sluice_sim *sim, const struct sluice_host_particles *p)
{
    const struct sluice_summary *s = step_ahead(sim) ? &step_ahead(sim)->reduce[SLUICE_FLUID].out
                                                     : &sim->summary[SLUICE_FLUID];
    int64_t worst = 0;
    double most = -1;
    for (int64_t i = 0; s->not_finite > 0 && i < p->type_count[SLUICE_FLUID]; i++)
        if (p->id[i] == s->first_not_finite)
            return i;
    for (int64_t i = 0; i < p->type_count[SLUICE_FLUID]; i++) {
        const double *v = p->velocity[i];
        const double badness =
            collapsed(sim)
                ? fabs(p->density[i] / wcsph_of(&sim->setup->physics.wcsph, p->id[i])->rho0 - 1)
                : v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (badness > most || (badness == most && p->id[i] < p->id[worst])) {
            most = badness;
            worst = i;
        }
    }
    return worst;
}

static sluice_status collect(struct sluice_sim *sim, struct sluice_host_particles *p)
{
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    const int n = sluice_sim_sets(sim, SLUICE_WALL + 1, sets);
    return sluice_host_particles_collect(
        p, &sim->backend, &sim->grid, sets, n,
        sim->config->model == SLUICE_MODEL_WCSPH ? &sim->setup->physics.wcsph : NULL);
}

/* A particle of the dump. */
struct near {
    uint32_t id; /* first: the list is sorted by it */
    int64_t i;   /* its place in the collected arrays */
};

/* Lists the particle at fault and all within two cutoffs, by id. The caller frees the list. */
static sluice_status find_near(const struct sluice_sim *sim, const struct sluice_host_particles *p,
                               int64_t culprit, struct near **near, int64_t *count)
{
    int64_t capacity = 0;
    for (int64_t i = 0; i < p->count; i++) {
        if (i != culprit && !(distance(sim, p, culprit, i) < 2 * sim->grid.cutoff))
            continue;
        SLUICE_GROW(*near, *count, capacity, "particles near one that blew up");
        (*near)[(*count)++] = (struct near){p->id[i], i};
    }
    qsort(*near, (size_t)*count, sizeof **near, sluice_sim_by_id);
    return SLUICE_OK;
}

sluice_status sluice_sim_dump(struct sluice_sim *sim, FILE *out)
{
    struct sluice_host_particles p = {0};
    struct near *near = NULL;
    int64_t count = 0;
    sluice_status status = collect(sim, &p);
    const int64_t culprit = status == SLUICE_OK ? find_culprit(sim, &p) : 0;
    if (status == SLUICE_OK && p.type_count[SLUICE_FLUID] == 0) {
        fprintf(out, "# step %lld: no fluid is left\n", (long long)sim->queued);
    } else if (status == SLUICE_OK) {
        status = find_near(sim, &p, culprit, &near, &count);
        fprintf(out,
                "# step %lld, t = %.17g: particle %u and all within two cutoffs (%.9g)\n"
                "id,type,x,y,z,vx,vy,vz,density,pressure,distance\n",
                (long long)sim->queued, step_ahead(sim) ? step_ahead(sim)->time : sim->time,
                p.id[culprit], 2 * sim->grid.cutoff);
    }
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = near[k].i;
        fprintf(out, "%u,%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", p.id[i], p.type[i],
                p.x[i][0], p.x[i][1], p.x[i][2], p.velocity[i][0], p.velocity[i][1],
                p.velocity[i][2], p.has_density ? p.density[i] : NAN,
                p.has_density ? p.pressure[i] : NAN, distance(sim, &p, culprit, i));
    }
    free(near);
    sluice_host_particles_destroy(&p);
    return status;
}

/* The nearest neighbour of the particle, -1 if none is within a hundredth of the cutoff. Two
 * particles at one place are the usual cause in a Lennard-Jones fluid. */
static int64_t find_partner(const struct sluice_sim *sim, const struct sluice_host_particles *p,
                            int64_t culprit)
{
    double least = 0.01 * sim->grid.cutoff;
    int64_t nearest = -1;
    for (int64_t j = 0; j < p->count; j++) {
        const double r = j == culprit ? INFINITY : distance(sim, p, culprit, j);
        if (r < least || (nearest >= 0 && r == least && p->id[j] < p->id[nearest])) {
            least = r;
            nearest = j;
        }
    }
    return nearest;
}

/* --- Walls that are too fast --- */

/* The longest way of a motion's particles in the next step, m. */
static double next_move(const struct sluice_sim *sim, int motion)
{
    struct sluice_displacement now, then;
    double d2 = 0;
    sluice_motions_at(&sim->setup->physics.motions, motion, sim->time, &now);
    sluice_motions_at(&sim->setup->physics.motions, motion,
                      fmin(sim->time + sim->dt_next, fmax(sim->time, sim->config->time.end)),
                      &then);
    for (int c = 0; c < 3; c++)
        d2 += (then.x[c] - now.x[c]) * (then.x[c] - now.x[c]);
    return sqrt(d2) + fabs(then.angle - now.angle) * sim->setup->physics.motion_reach[motion];
}

/* A wall that moves by more than half the kernel's reach in a step passes through fluid. */
static sluice_status check_walls(const struct sluice_sim *sim)
{
    char title[4 * SLUICE_TEXT_MAX];
    for (int i = 0; i < sim->config->motion_count; i++) {
        const double move = next_move(sim, i);
        SLUICE_CHECK(move <= sim->grid.cutoff / 2, SLUICE_BLOW_UP,
                     "the simulation blew up at step %lld, t = %.9g: %s, would go %.3g m in the "
                     "next step of %.3g s, past fluid that does not feel it, as the kernel reaches "
                     "over %.3g m: slow the motion, or take a time.step below %.3g",
                     (long long)sim->step, sim->time,
                     sluice_case_motion_title(sim->setup, i, title, sizeof title), move,
                     sim->dt_next, sim->grid.cutoff, sim->dt_next * sim->grid.cutoff / 2 / move);
    }
    return SLUICE_OK;
}

/* Describes a wall that is too fast for the speed of sound, with a remedy. Returns 0 without such a
 * wall; 2 if it is faster than sound and any fluid, and so the cause. */
static int blame_walls(const struct sluice_sim *sim, char *text, size_t size)
{
    char title[4 * SLUICE_TEXT_MAX];
    const double sound = sim->setup->physics.wcsph.sound_speed;
    double speed = 0;
    int fastest = 0;
    for (int i = 0; i < sim->config->motion_count; i++) {
        const double v = sluice_physics_motion_speed(&sim->setup->physics, i, sim->time);
        if (!(v <= speed)) {
            speed = v;
            fastest = i;
        }
    }
    if (sim->config->motion_count == 0 || speed <= 0.1 * sound)
        return 0;
    snprintf(
        text, size,
        "; %s, has a speed of %.4g m/s; fluid.sound_speed, %.4g m/s, must be ten times that: slow "
        "the motion, or give %.4g",
        sluice_case_motion_title(sim->setup, fastest, title, sizeof title), speed, sound,
        10 * speed);
    return speed > sound && speed > sim->now.max_speed ? 2 : 1;
}

/* --- Messages --- */

/* The particle at fault, its neighbours, and one that it has met. */
static sluice_status describe_culprit(struct sluice_sim *sim, char *text, size_t size)
{
    struct sluice_host_particles p = {0};
    char met[80] = "", when[40] = "";
    SLUICE_TRY(collect(sim, &p));
    if (p.type_count[SLUICE_FLUID] == 0) {
        snprintf(text, size, "; when it was looked at, no fluid was left");
        sluice_host_particles_destroy(&p);
        return SLUICE_OK;
    }
    const int64_t i = find_culprit(sim, &p),
                  partner = step_ahead(sim) ? -1 : find_partner(sim, &p, i);
    int64_t neighbours = 0;
    for (int64_t j = 0; j < p.count; j++)
        neighbours += j != i && distance(sim, &p, i, j) < sim->grid.cutoff;
    if (step_ahead(sim))
        snprintf(when, sizeof when, "%lld step%s later, ", (long long)(sim->queued - sim->step),
                 sim->queued - sim->step == 1 ? "" : "s");
    if (partner >= 0)
        snprintf(met, sizeof met, "; particle %u is only %.3g away", p.id[partner],
                 distance(sim, &p, i, partner));
    snprintf(text, size,
             "; %sparticle %u at (%.9g, %.9g, %.9g), velocity (%.4g, %.4g, %.4g), %lld "
             "neighbours%s",
             when, p.id[i], p.x[i][0], p.x[i][1], p.x[i][2], p.velocity[i][0], p.velocity[i][1],
             p.velocity[i][2], (long long)neighbours, met);
    sluice_host_particles_destroy(&p);
    return SLUICE_OK;
}

static sluice_status blow_up(struct sluice_sim *sim, const char *what)
{
    char culprit[512] = "",
         remedy[5 * SLUICE_TEXT_MAX] = ". A smaller time.cfl or time.step, a larger "
                                       "fluid.sound_speed or more viscosity may help";
    if (blame_walls(sim, remedy, sizeof remedy) < 2)
        SLUICE_TRY(describe_culprit(sim, culprit, sizeof culprit));
    return SLUICE_FAIL(SLUICE_BLOW_UP, "the simulation blew up at step %lld, t = %.9g: %s%s%s",
                       (long long)sim->step, sim->time, what, culprit, remedy);
}

/* Describes the sign of a blow-up; returns 0 if there is none. */
static int find_sign(const struct sluice_sim *sim, char *what, size_t size)
{
    const struct sluice_summary *s = &sim->summary[SLUICE_FLUID];
    double narrowest = INFINITY;
    for (int c = 0; c < sim->grid.dimension; c++)
        narrowest = fmin(narrowest, sim->grid.width[c]);
    for (int t = SLUICE_FLUID; t <= SLUICE_WALL; t++)
        if (sim->summary[t].not_finite > 0)
            return snprintf(what, size,
                            "%lld %s particles have values that are not finite, or an energy or "
                            "momentum beyond %d times that of the case's masses and speeds",
                            (long long)sim->summary[t].not_finite, sluice_type_names[t],
                            1 << EXACT_ROOM);
    if (collapsed(sim))
        return snprintf(what, size, "relative densities from %.3g to %.3g: the fluid has collapsed",
                        s->min_density, s->max_density);
    if (sim->config->time.step <= 0 &&
        !(sim->dt_next > 1e-5 * sim->model.ops->time_step(&sim->model, 0, 0)))
        return snprintf(what, size,
                        "the time step has collapsed to %.3g: the largest acceleration is %.3g",
                        sim->dt_next, sim->now.max_acceleration);
    if (!(sim->now.max_speed * sim->dt_next < narrowest / 2))
        return snprintf(what, size,
                        "a particle would move %.3g in the next step of %.3g, half a frame is %.3g",
                        sim->now.max_speed * sim->dt_next, sim->dt_next, narrowest / 2);
    if (sim->model.out_of_range > 0)
        return snprintf(what, size,
                        "%lld energies or powers of particles are not finite, or beyond %d times "
                        "those of the case's masses and speeds",
                        (long long)sim->model.out_of_range, 1 << EXACT_ROOM);
    return 0;
}

sluice_status sluice_sim_check_alive(struct sluice_sim *sim)
{
    char what[160];
    SLUICE_TRY(check_walls(sim));
    return find_sign(sim, what, sizeof what) ? blow_up(sim, what) : SLUICE_OK;
}
