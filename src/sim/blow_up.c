/* Recognises a run that blew up, and says why. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* The nearest neighbour of the particle, NULL if none is within a hundredth of the cutoff. Two
 * particles at one place are the usual cause in a Lennard-Jones fluid. */
static const struct sluice_near *find_partner(const struct sluice_sim *sim,
                                              const struct sluice_surroundings *s)
{
    double least = 0.01 * sim->grid.cutoff;
    const struct sluice_near *nearest = NULL;
    for (const struct sluice_near *n = s->near; n < s->near + s->count; n++) {
        const double r = n->id == s->culprit.id ? INFINITY
                                                : sluice_sim_distance(sim, s->culprit.x, n->x);
        if (r < least) {
            least = r;
            nearest = n;
        }
    }
    return nearest;
}

/* --- Walls that are too fast --- */

/* The longest distance that a motion's particles go in the next step, m. */
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

/* --- Bodies --- */

/* "(1, 2, 3)"; in 2-D without the third. */
static const char *print_vector(const struct sluice_sim *sim, const double v[3], char text[64])
{
    const int used = snprintf(text, 64, "(%.6g, %.6g", v[0], v[1]);
    if (sim->grid.dimension == 3)
        snprintf(text + used, 64 - (size_t)used, ", %.6g)", v[2]);
    else
        snprintf(text + used, 64 - (size_t)used, ")");
    return text;
}

/* "body 2 'crate' (a.cfg:9), at (1, 2, 3), velocity (4, 5, 6)" */
static const char *describe_body(const struct sluice_sim *sim, int i, char *text, size_t size)
{
    const struct sluice_rigid_body *body = &sim->model.bodies.body[i];
    char place[64], velocity[64];
    snprintf(text, size, "body %d '%s' (%s:%d), at %s, velocity %s", i + 1, body->name,
             body->entry->file, body->entry->line,
             print_vector(sim, sim->model.bodies.now[i].pose.centre, place),
             print_vector(sim, sim->model.bodies.state[i].v, velocity));
    return text;
}

/* Warns once of a body whose centre has left the domain. One that begins outside is held there. */
static void note_leaving(const struct sluice_sim *sim, int i)
{
    struct sluice_body_now *now = &sim->model.bodies.now[i];
    char text[4 * SLUICE_TEXT_MAX];
    const struct sluice_config *c = sim->config;
    const double *x = now->pose.centre;
    int outside = 0;
    for (int a = 0; a < c->dimension; a++)
        outside |= !c->domain.periodic[a] && (x[a] < c->domain.min[a] || x[a] > c->domain.max[a]);
    if (outside && !now->away && sim->step > 0)
        sluice_log_warning(sim->log,
                           "step %lld, t = %.9g: the centre of %s, has left the domain: no fluid "
                           "is there, and gravity, contacts and moorings move it on; a larger "
                           "domain keeps it",
                           (long long)sim->step, sim->time,
                           describe_body(sim, i, text, sizeof text));
    now->away |= outside;
}

/* Moorings that are so stiff that a run would never end. */
static sluice_status check_moorings(const struct sluice_sim *sim)
{
    const struct sluice_moorings *moorings = &sim->model.bodies.moorings;
    if (moorings->count == 0)
        return SLUICE_OK;
    const double step = moorings->longest_step;
    const struct sluice_mooring *m = &sim->config->moorings[moorings->stiffest];
    SLUICE_CHECK(sim->config->time.step > 0 ||
                     step > 1e-5 * sim->model.ops->time_step(&sim->model, &sim->rest),
                 SLUICE_BLOW_UP,
                 "the mooring of '%.60s' (%s:%d) needs time steps of %.3g s, %.3g of the fluid's: "
                 "take less stiffness and damping, or a heavier body",
                 m->body, m->file, m->line, step,
                 step / sim->model.ops->time_step(&sim->model, &sim->rest));
    return SLUICE_OK;
}

/* A body that moves by more than half the kernel's reach in a step passes through fluid. Where
 * fluid is not finite either, that is the cause, and find_sign says so. */
static sluice_status check_bodies(const struct sluice_sim *sim)
{
    const struct sluice_bodies *b = &sim->model.bodies;
    char text[4 * SLUICE_TEXT_MAX];
    int number;
    const int finite = sluice_bodies_are_finite(b, &number);
    if (!finite && sim->summary[SLUICE_FLUID].extremes.not_finite > 0)
        return SLUICE_OK;
    if (!finite)
        return SLUICE_FAIL(
            SLUICE_BLOW_UP,
            "the simulation blew up at step %lld, t = %.9g: the motion of %s, is not "
            "finite: a smaller time.cfl or time.step, a heavier body, or softer "
            "moorings and contacts may help",
            (long long)sim->step, sim->time, describe_body(sim, number, text, sizeof text));
    for (int i = 0; i < b->count; i++) {
        const double move = sluice_body_speed(b, i) * sim->dt_next;
        SLUICE_CHECK(move <= sim->grid.cutoff / 2, SLUICE_BLOW_UP,
                     "the simulation blew up at step %lld, t = %.9g: a particle of %s, would go "
                     "%.3g m in the next step of %.3g s, past fluid that does not feel it, as the "
                     "kernel reaches over %.3g m: a smaller time.cfl or time.step, a heavier body, "
                     "or softer moorings and contacts may help",
                     (long long)sim->step, sim->time, describe_body(sim, i, text, sizeof text),
                     move, sim->dt_next, sim->grid.cutoff);
        note_leaving(sim, i);
    }
    return check_moorings(sim);
}

/* --- Messages --- */

/* The particle at fault, its neighbours, and one that it has met. */
static void describe(const struct sluice_sim *sim, const struct sluice_surroundings *s, char *text,
                     size_t size)
{
    const struct sluice_near *of = &s->culprit,
                             *partner = sluice_sim_step_ahead(sim) ? NULL : find_partner(sim, s);
    char met[80] = "", when[40] = "", lonely[160] = "";
    int64_t neighbours = 0;
    const double reach = of->length != 0
                             ? sluice_kernel_support(sim->config->kernel.name) * fabs(of->length)
                             : sim->grid.cutoff;
    for (const struct sluice_near *n = s->near; n < s->near + s->count; n++)
        neighbours += n->id != of->id && sluice_sim_distance(sim, of->x, n->x) < reach;
    if (sluice_sim_step_ahead(sim))
        snprintf(when, sizeof when, "%lld step%s later, ", (long long)(sim->queued - sim->step),
                 sim->queued - sim->step == 1 ? "" : "s");
    if (partner)
        snprintf(met, sizeof met, "; particle %lld is only %.3g away", (long long)partner->id,
                 sluice_sim_distance(sim, of->x, partner->x));
    if (of->length < 0)
        snprintf(lonely, sizeof lonely,
                 ": it has no smoothing length, for no support up to %.4g, the widest that can be "
                 "searched, holds enough neighbours",
                 sluice_gas_widest_support(&sim->model, &sim->grid));
    snprintf(text, size,
             "; %sparticle %lld at (%.9g, %.9g, %.9g), velocity (%.4g, %.4g, %.4g), %lld "
             "neighbours%s%s",
             when, (long long)of->id, of->x[0], of->x[1], of->x[2], of->velocity[0],
             of->velocity[1], of->velocity[2], (long long)neighbours, met, lonely);
}

/* *lonely: it is a particle of a gas without a smoothing length. */
static sluice_status describe_culprit(struct sluice_sim *sim, char *text, size_t size, int *lonely)
{
    struct sluice_surroundings s;
    const sluice_status status = sluice_sim_look_around(sim, &s);
    if (status == SLUICE_OK && s.fluid == 0)
        snprintf(text, size, "; when it was looked at, no fluid was left");
    else if (status == SLUICE_OK)
        describe(sim, &s, text, size);
    *lonely = status == SLUICE_OK && s.fluid > 0 && s.culprit.length < 0;
    free(s.near);
    return status;
}

static sluice_status blow_up(struct sluice_sim *sim, const char *what)
{
    int lonely = 0;
    char culprit[512] = "",
         remedy[5 * SLUICE_TEXT_MAX] = ". A smaller time.cfl or time.step, a larger "
                                       "fluid.sound_speed or more viscosity may help";
    if (sim->matter.gas)
        strcpy(remedy, ". A smaller time.cfl or a larger gas.alpha may help");
    if (blame_walls(sim, remedy, sizeof remedy) < 2)
        SLUICE_TRY(describe_culprit(sim, culprit, sizeof culprit, &lonely));
    if (lonely)
        snprintf(remedy, sizeof remedy,
                 sim->backend.domain ? ". Fewer ranks or a smaller time.cfl may help"
                                     : ". A larger backend.frame_cutoffs (%lld) allows wider "
                                       "supports",
                 sim->config->backend.frame_cutoffs);
    return SLUICE_FAIL(SLUICE_BLOW_UP, "the simulation blew up at step %lld, t = %.9g: %s%s%s",
                       (long long)sim->step, sim->time, what, culprit, remedy);
}

/* Describes the sign of a blow-up; returns 0 if there is none. */
static int find_sign(const struct sluice_sim *sim, char *what, size_t size)
{
    const struct sluice_extremes *s = &sim->summary[SLUICE_FLUID].extremes;
    const double narrowest = sluice_grid_narrowest(&sim->grid);
    for (int t = SLUICE_FLUID; t <= SLUICE_WALL; t++)
        if (sim->summary[t].extremes.not_finite > 0)
            return snprintf(what, size,
                            "%lld %s particles have values that are not finite, or an energy or "
                            "momentum beyond %d times that of the case's masses and speeds",
                            (long long)sim->summary[t].extremes.not_finite, sluice_type_names[t],
                            1 << EXACT_ROOM);
    if (sluice_sim_collapsed(sim))
        return snprintf(what, size, "relative densities from %.3g to %.3g: the fluid has collapsed",
                        s->min_scalar, s->max_scalar);
    if (sim->config->time.step <= 0 &&
        !(sim->dt_next > 1e-5 * sim->model.ops->time_step(&sim->model, &sim->rest)))
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
    SLUICE_TRY(check_bodies(sim));
    if (sim->model.bodies.count > 0)
        sluice_bodies_watch_contacts(&sim->model.bodies, sim->step, sim->time,
                                     sim->model.ops->time_step(&sim->model, &sim->rest), sim->log);
    return find_sign(sim, what, sizeof what) ? blow_up(sim, what) : SLUICE_OK;
}
