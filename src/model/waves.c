#include "model/waves.h"

#include <math.h>

enum { SAMPLES = 4000 };
static const double pi = 3.14159265358979323846;
/* A wave lower than this, in spacings, gives a warning. */
static const double least_height = 4;

/* By how much a period may come out too short, in percent: the bounds of a sweep over standing
 * waves of 0.02 to 2 spacings (docs/notes/small-waves.md). No law fits between its points. */
static double shorter_by(double amplitude)
{
    return amplitude < 0.5 ? 5 : 2;
}

static void warn_of_initial(const struct sluice_waves_setup *w, const struct sluice_initial *field,
                            struct sluice_warnings *warnings)
{
    const double amplitude = fabs(field->amplitude) / w->g->spacing;
    if (field->kind != SLUICE_INITIAL_GRAVITY_WAVE || !(amplitude > 0) ||
        2 * amplitude >= least_height)
        return;
    sluice_warn(
        warnings,
        "%s:%d: initial: the gravity-wave is %.3g spacings high: the lattice stiffens waves "
        "lower than %g, and the period comes out up to %g%% too short; a spacing of %.3g "
        "or a higher wave avoids it",
        field->file, field->line, 2 * amplitude, least_height, shorter_by(amplitude),
        2 * fabs(field->amplitude) / least_height);
}

/* --- Paddles --- */

/* How a paddle moves where the water's surface is. */
struct stroke {
    double length, period; /* m, s; 0: it does not swing */
    int is_flap;
};

/* Its displacement along a horizontal axis at the surface. */
static double place_at(const struct sluice_waves_setup *w, int motion, int axis, double t,
                       int *is_flap)
{
    const int up = w->g->dimension - 1;
    const struct sluice_motion *m = &w->g->config->motions[motion];
    struct sluice_displacement d;
    sluice_motions_at(w->motions, motion, t, &d);
    const double lever = w->high - m->centre[up],
                 turned = up == 1 || m->axis == 1 - axis ? lever * sin(d.angle) : 0;
    *is_flap |= fabs(turned) > fabs(d.x[axis]);
    return d.x[axis] + (up == 1 || axis == 1 ? -turned : turned);
}

/* The period of a table is twice the mean time between turns of more than a tenth of the stroke. */
static struct stroke find_stroke(const struct sluice_waves_setup *w, int motion, int axis)
{
    const struct sluice_config *config = w->g->config;
    const struct sluice_motion *m = &config->motions[motion];
    struct stroke s = {0, 0, 0};
    const int has_table = m->table[0] != '\0';
    const double end = has_table ? config->time.end : m->period;
    double low = INFINITY, high = -INFINITY, last = 0, first = 0;
    int turns = 0, sense = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = place_at(w, motion, axis, end * i / SAMPLES, &s.is_flap);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    s.length = high - low;
    s.period = m->period;
    if (!has_table || !(s.length > 0))
        return s;
    double extreme = place_at(w, motion, axis, 0, &s.is_flap);
    for (int i = 1; i <= SAMPLES; i++) {
        const double t = end * i / SAMPLES, x = place_at(w, motion, axis, t, &s.is_flap);
        if (sense != 0 && sense * (x - extreme) > 0)
            extreme = x;
        if (fabs(x - extreme) <= 0.1 * s.length)
            continue;
        sense = x > extreme ? 1 : -1;
        extreme = x;
        first = turns == 0 ? t : first;
        last = t;
        turns++;
    }
    s.period = turns > 2 ? 2 * (last - first) / (turns - 1) : 0;
    return s;
}

/* A paddle reaches from the lower half of the water through its surface. A tank that sways whole is
 * none. */
static int is_paddle(const struct sluice_waves_setup *w, int shape)
{
    const int up = w->g->dimension - 1;
    const struct sluice_shape *s = &w->g->config->shapes[shape];
    const struct sluice_solid *solid = &w->g->solid[shape];
    return s->type == SLUICE_SHAPE_WALL && s->kind != SLUICE_SHAPE_WALLS &&
           solid->low[up] < (w->low + w->high) / 2 && solid->high[up] > w->high;
}

/* A tank whose floor moves along has no paddle: its water sloshes. */
static int moves_floor(const struct sluice_waves_setup *w, int motion)
{
    const struct sluice_config *config = w->g->config;
    const int up = w->g->dimension - 1;
    for (int s = 0; s < config->shape_count; s++)
        if (config->shapes[s].type == SLUICE_SHAPE_WALL &&
            config->shapes[s].kind != SLUICE_SHAPE_WALLS &&
            sluice_motions_find(config, config->shapes[s].motion) == motion &&
            w->g->solid[s].high[up] < w->low + w->g->spacing / 2)
            return 1;
    return 0;
}

static void warn_of_paddle(const struct sluice_waves_setup *w, int motion, int shape,
                           struct sluice_warnings *warnings)
{
    const struct sluice_motion *m = &w->g->config->motions[motion];
    const double depth = w->high - w->low;
    if (m->kind == SLUICE_MOTION_WAVE && m->wave.kind != SLUICE_WAVE_PADDLE) { /* it is known */
        const double height = sluice_wave_maker_height(&w->motions->maker[motion]),
                     spacings = height / w->g->spacing;
        if (spacings < least_height)
            sluice_warn(warnings,
                        "%s:%d: motions: '%s' makes waves of %.3g spacings: the lattice stiffens "
                        "waves lower than %g, and periods come out up to %g%% too short; a spacing "
                        "of %.3g avoids it",
                        m->file, m->line, m->name, spacings, least_height, shorter_by(spacings / 2),
                        height / least_height);
        return;
    }
    char title[2 * SLUICE_TEXT_MAX];
    for (int axis = 0; axis < w->g->dimension - 1; axis++) {
        const struct stroke s = find_stroke(w, motion, axis);
        if (!(s.length > 1e-6 * w->g->spacing) || !(s.period > 0))
            continue;
        const double kd = sluice_wave_number(2 * pi / s.period, depth, w->gravity),
                     height = s.length *
                              (s.is_flap ? sluice_wave_of_flap(kd, 0) : sluice_wave_of_piston(kd));
        if (height >= least_height * w->g->spacing)
            continue;
        sluice_warn(warnings,
                    "%s:%d: motions: %s makes waves of about %.3g spacings (a stroke of %.3g m, a "
                    "period of %.3g s, %.3g m of water): the lattice stiffens waves lower than %g, "
                    "and periods come out up to %g%% too short; a spacing of %.3g avoids it",
                    m->file, m->line,
                    sluice_geometry_title(w->g->config, shape, title, sizeof title),
                    height / w->g->spacing, s.length, s.period, depth, least_height,
                    shorter_by(height / w->g->spacing / 2), height / least_height);
        return;
    }
}

void sluice_waves_warn(const struct sluice_waves_setup *setup, struct sluice_warnings *warnings)
{
    const struct sluice_config *config = setup->g->config;
    for (int i = 0; i < config->initial_count; i++)
        warn_of_initial(setup, &config->initials[i], warnings);
    for (int i = 0; i < config->motion_count; i++)
        for (int s = 0; s < config->shape_count; s++)
            if (sluice_motions_find(config, config->shapes[s].motion) == i && is_paddle(setup, s) &&
                !moves_floor(setup, i)) {
                warn_of_paddle(setup, i, s, warnings);
                break;
            }
}
