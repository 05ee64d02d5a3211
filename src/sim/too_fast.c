/* Walls and bodies that are too fast for the step, or whose motion is not finite. */
#include <math.h>
#include <stdio.h>

#include "sim/sim_internal.h"

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

sluice_status sluice_sim_check_walls(const struct sluice_sim *sim)
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

int sluice_sim_blame_walls(const struct sluice_sim *sim, char *text, size_t size)
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

sluice_status sluice_sim_check_bodies(const struct sluice_sim *sim)
{
    const struct sluice_bodies *b = &sim->model.bodies;
    char text[4 * SLUICE_TEXT_MAX];
    int number;
    const int finite = sluice_bodies_are_finite(b, &number);
    if (!finite && sim->summary[SLUICE_FLUID].not_finite > 0)
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
