#include "motion/wave_maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

static const double pi = 3.14159265358979323846;

/* A solitary wave's paddle moves while |beta c t| is less: all but 1e-5 of its way. */
static const double solitary_reach = 6;

/* Longer waves, over 600 depths, are tides. */
static const double least_kd = 0.01;

/* What the checks need to name. */
struct naming {
    const struct sluice_config *config;
    const struct sluice_motion *m;
};

static double gravity_of(const struct sluice_config *config)
{
    return -config->gravity[config->dimension - 1];
}

/* --- Checks --- */

static sluice_status check_gravity(const struct naming *n)
{
    const struct sluice_config *c = n->config;
    int down = gravity_of(c) > 0;
    for (int a = 0; a < c->dimension - 1; a++)
        down &= c->gravity[a] == 0;
    SLUICE_CHECK(down, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': kind: a wave needs gravity along -%c alone", n->m->file,
                 n->m->line, n->m->name, c->dimension == 2 ? 'y' : 'z');
    return SLUICE_OK;
}

double sluice_wave_maker_breaking(const struct sluice_wave_maker *w)
{
    const double most = w->kd > 0 ? fmin(sluice_wave_miche(w->kd), SLUICE_WAVE_MCCOWAN)
                                  : SLUICE_WAVE_MCCOWAN;
    return most * w->of->depth;
}

double sluice_wave_maker_height(const struct sluice_wave_maker *w)
{
    const double height = fabs(w->of->gain) * w->of->height;
    return w->of->kind == SLUICE_WAVE_FOCUSED ? 2 * height : height;
}

static sluice_status check_height(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w), most = sluice_wave_maker_breaking(w);
    SLUICE_CHECK(height <= most, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': height: waves of %.6g m in %.6g m of water break at the "
                 "paddle: at most %.4g m (%s)",
                 n->m->file, n->m->line, n->m->name, height, w->of->depth, most,
                 most < SLUICE_WAVE_MCCOWAN * w->of->depth ? "Miche 1944" : "McCowan 1894");
    return SLUICE_OK;
}

/* The paddle's way over the lever of a flap: twice its deviation, as of a sine. */
static sluice_status check_way(const struct naming *n, const struct sluice_wave_maker *w)
{
    double square = 0;
    for (int64_t i = 0; i < w->count; i++)
        square += w->component[i].stroke * w->component[i].stroke;
    SLUICE_CHECK(
        w->of->paddle == SLUICE_PADDLE_PISTON || sqrt(square) < w->lever, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': hinge: the flap would sway by %.4g m at the surface, %.4g m "
        "above its hinge: lower the hinge",
        n->m->file, n->m->line, n->m->name, sqrt(square), w->lever);
    return SLUICE_OK;
}

static sluice_status check_order(const struct naming *n, const struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double length = 2 * pi / w->kd, ursell = s->height / s->depth * length * length;
    SLUICE_CHECK(w->order < 2 || s->paddle == SLUICE_PADDLE_PISTON, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': order: 2 is for pistons (Madsen 1971): a flap has 1",
                 n->m->file, n->m->line, n->m->name);
    SLUICE_CHECK(w->order < 2 || ursell <= 8 * pi * pi / 3, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': order: H L^2/d^3 = %.4g is beyond the second order, which "
                 "reaches to 26.3: lower height or period, or take order = 1",
                 n->m->file, n->m->line, n->m->name, ursell);
    return SLUICE_OK;
}

/* --- Components --- */

/* Uniform in [0, 1): Steele, Lea & Flood 2014 (splitmix64). */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double gain_of(const struct sluice_wave_settings *s, double kd)
{
    return s->paddle == SLUICE_PADDLE_PISTON ? sluice_wave_of_piston(kd)
                                             : sluice_wave_of_flap(kd, s->hinge / s->depth);
}

static struct sluice_wave_component component_of(const struct naming *n, double amplitude,
                                                 double omega, double phase)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double kd = sluice_wave_number(omega, s->depth, gravity_of(n->config));
    const struct sluice_wave_component c = {amplitude, s->gain * amplitude / gain_of(s, kd), omega,
                                            kd / s->depth, phase};
    return c;
}

/* One frequency at a random place of each of `components` equal intervals of the band, so that the
 * record does not repeat. Amplitudes sqrt(2 S df), scaled so that m0 is Hs^2/16; of a focused group
 * proportional to S, the most probable shape of a high crest (Tromans, Anaturk & Hagemeijer 1991),
 * with the sum `height`. */
static void make_spectrum(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double peak = 1 / w->period, low = s->band_low * peak,
                 width = (s->band_high * peak - low) / (double)w->count,
                 gamma = s->spectrum == SLUICE_SPECTRUM_JONSWAP ? s->gamma : 1;
    const int focused = s->kind == SLUICE_WAVE_FOCUSED;
    uint64_t state = (uint64_t)s->seed;
    double m0 = 0, sum = 0;
    for (int64_t i = 0; i < w->count; i++) {
        const double f = low + width * ((double)i + uniform(&state)),
                     turn = 2 * pi * uniform(&state), energy = sluice_wave_jonswap(f, peak, gamma),
                     amplitude = focused ? energy : sqrt(energy);
        struct sluice_wave_component *c = &w->component[i];
        *c = component_of(n, amplitude, 2 * pi * f, turn);
        if (focused)
            c->phase = c->k * s->focus_at - c->omega * (s->focus_time - s->start) +
                       pi / 180 * s->focus_phase;
        m0 += 0.5 * amplitude * amplitude;
        sum += amplitude;
    }
    const double scale = focused ? s->height / sum : s->height / 4 / sqrt(m0);
    for (int64_t i = 0; i < w->count; i++) {
        w->component[i].amplitude *= scale;
        w->component[i].stroke *= scale;
    }
}

static sluice_status check_focus(const struct naming *n, const struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const struct sluice_wave_component *last = &w->component[w->count - 1];
    const double slowest = last->omega / last->k * sluice_wave_group_share(last->k * s->depth),
                 earliest = s->start + w->ramp + s->focus_at / slowest;
    SLUICE_CHECK(s->focus_time >= earliest, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': focus_time: at %.6g s the slowest waves are not yet %.6g m "
                 "from the paddle: from %.4g s on, or a lower band_high",
                 n->m->file, n->m->line, n->m->name, s->focus_time, s->focus_at, earliest);
    return SLUICE_OK;
}

static sluice_status make_components(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double g = gravity_of(n->config);
    w->period = n->m->period > 0
                    ? n->m->period
                    : 2 * pi / sqrt(2 * pi * g / s->length * tanh(2 * pi * s->depth / s->length));
    w->kd = sluice_wave_number(2 * pi / w->period, s->depth, g);
    w->ramp = s->ramp > 0 ? s->ramp : 2 * w->period;
    w->count = s->kind == SLUICE_WAVE_REGULAR ? 1 : s->components;
    w->order = s->order > 0 ? s->order
               : s->kind == SLUICE_WAVE_REGULAR && s->paddle == SLUICE_PADDLE_PISTON &&
                       w->kd <= 0.75
                   ? 2
                   : 1;
    SLUICE_CHECK(
        w->kd > least_kd, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': period: waves of %.4g s are %.4g times as long as the water "
        "is deep: at most %.4g times",
        n->m->file, n->m->line, n->m->name, w->period, 2 * pi / w->kd, 2 * pi / least_kd);
    SLUICE_CHECK(w->stop >= s->start + 2 * w->ramp, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': stop: %.6g s leaves no room for two ramps of %.6g s after "
                 "start",
                 n->m->file, n->m->line, n->m->name, w->stop, w->ramp);
    SLUICE_TRY(check_height(n, w));
    SLUICE_ALLOCATE(w->component, w->count, "components of waves");
    if (s->kind == SLUICE_WAVE_REGULAR) {
        SLUICE_TRY(check_order(n, w));
        w->component[0] = component_of(n, 0.5 * s->height, 2 * pi / w->period, n->m->phase);
        if (!sluice_steady_wave_of(fabs(s->gain) * s->height, w->period, s->depth,
                                   gravity_of(n->config), &w->steady))
            w->steady.k = 0;
        if (w->order == 2)
            w->second = s->gain * s->height * s->height / s->depth * sluice_wave_madsen(w->kd);
        return check_way(n, w);
    }
    make_spectrum(w, n);
    SLUICE_TRY(check_way(n, w));
    return s->kind == SLUICE_WAVE_FOCUSED ? check_focus(n, w) : SLUICE_OK;
}

sluice_status sluice_wave_maker_create(struct sluice_wave_maker *w,
                                       const struct sluice_config *config,
                                       const struct sluice_motion *m)
{
    const struct naming n = {config, m};
    const struct sluice_wave_settings *s = &m->wave;
    memset(w, 0, sizeof *w);
    w->of = s;
    w->lever = s->depth - s->hinge;
    w->stop = s->stop > 0 ? s->stop : INFINITY;
    SLUICE_TRY(check_gravity(&n));
    if (s->kind != SLUICE_WAVE_SOLITARY)
        return make_components(w, &n);
    w->order = 1;
    w->solitary = sluice_solitary_of(s->height, s->depth, gravity_of(config),
                                     s->theory == SLUICE_SOLITARY_BOUSSINESQ);
    return check_height(&n, w);
}

void sluice_wave_maker_destroy(struct sluice_wave_maker *w)
{
    free(w->component);
    memset(w, 0, sizeof *w);
}

/* --- At a time --- */

/* y[0] to y[2]: value and derivatives. */
static void multiply(double x[3], const double r[3])
{
    const double first = r[0] * x[1] + r[1] * x[0],
                 second = r[0] * x[2] + 2 * r[1] * x[1] + r[2] * x[0];
    x[0] *= r[0];
    x[1] = first;
    x[2] = second;
}

/* From 0 at s = 0 to 1 at s = 1, without a jump of the second derivative. */
static void rise(double s, double per_time, double r[3])
{
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    r[0] = s * s * s * (10 - 15 * s + 6 * s * s);
    r[1] = per_time * 30 * s * s * (1 - s) * (1 - s);
    r[2] = per_time * per_time * 60 * s * (1 - s) * (1 - 2 * s);
}

/* The ramps after the start and before the stop. */
static void ramps(const struct sluice_wave_maker *w, double t, double r[3])
{
    const double since = t - w->of->start, left = w->stop - t;
    double fall[3];
    rise(since / w->ramp, since > 0 && since < w->ramp ? 1 / w->ramp : 0, r);
    if (left >= w->ramp)
        return;
    rise(left / w->ramp, left > 0 ? -1 / w->ramp : 0, fall);
    multiply(r, fall);
}

/* What is left of the path beyond both ends goes to zero over a unit of beta c t. */
static void solitary_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const struct sluice_solitary *s = &w->solitary;
    const double per_time = s->beta * s->c, reach = solitary_reach,
                 phase = per_time * (t - w->of->start) - reach, whole = sluice_solitary_stroke(s);
    const int second = phase > 0;
    const double inside = reach - fabs(phase);
    double r[3];
    rise(inside, inside > 0 && inside < 1 ? (second ? -per_time : per_time) : 0, r);
    sluice_solitary_paddle(s, phase, &x[0], &x[1], &x[2]);
    x[0] += second ? -0.5 * whole : 0.5 * whole; /* from the end, or the start */
    multiply(x, r);
    x[0] += second ? whole : 0;
    for (int i = 0; i < 3; i++)
        x[i] *= w->of->gain;
}

void sluice_wave_maker_at(const struct sluice_wave_maker *w, double t, double *x, double *v,
                          double *a)
{
    const double tau = t - w->of->start;
    double at[3] = {0, 0, 0}, r[3];
    if (w->of->kind == SLUICE_WAVE_SOLITARY) {
        solitary_at(w, t, at);
    } else {
        for (int64_t i = 0; i < w->count; i++) {
            const struct sluice_wave_component *c = &w->component[i];
            const double angle = c->omega * tau + c->phase;
            at[0] += c->stroke * sin(angle);
            at[1] += c->stroke * c->omega * cos(angle);
            at[2] -= c->stroke * c->omega * c->omega * sin(angle);
        }
        if (w->second != 0) {
            const double omega = 2 * w->component[0].omega,
                         angle = omega * tau + 2 * w->component[0].phase;
            at[0] += w->second * sin(angle);
            at[1] += w->second * omega * cos(angle);
            at[2] -= w->second * omega * omega * sin(angle);
        }
        ramps(w, t, r);
        multiply(at, r);
    }
    *x = at[0];
    *v = at[1];
    *a = at[2];
}

/* The ramps that have come so far at a wave's group velocity. */
static double ramp_at(const struct sluice_wave_maker *w, const struct sluice_wave_component *c,
                      double distance, double t)
{
    double r[3];
    ramps(w, t - distance * c->k / (c->omega * sluice_wave_group_share(c->k * w->of->depth)), r);
    return r[0];
}

double sluice_wave_maker_elevation(const struct sluice_wave_maker *w, double distance, double t)
{
    const double tau = t - w->of->start, gain = w->of->gain;
    const struct sluice_wave_component *first = w->component;
    double sum = 0;
    if (w->of->kind == SLUICE_WAVE_SOLITARY) {
        const struct sluice_solitary *s = &w->solitary;
        const double at = cosh(s->beta * (distance - s->c * (t - sluice_wave_maker_crest(w))));
        return gain * s->height / (at * at);
    }
    if (w->steady.k > 0) /* a paddle that moves the other way makes troughs of crests */
        return ramp_at(w, first, distance, t) *
               sluice_steady_wave_at(&w->steady, w->steady.k * distance - first->omega * tau -
                                                     first->phase + (gain < 0 ? pi : 0));
    for (int64_t i = 0; i < w->count; i++) {
        const struct sluice_wave_component *c = &w->component[i];
        sum += ramp_at(w, c, distance, t) * c->amplitude *
               cos(c->k * distance - c->omega * tau - c->phase);
    }
    return gain * sum;
}

double sluice_wave_maker_front(const struct sluice_wave_maker *w)
{
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return w->solitary.c;
    const struct sluice_wave_component *c = &w->component[0]; /* the longest */
    return c->omega / c->k * sluice_wave_group_share(c->k * w->of->depth);
}

double sluice_wave_maker_crest(const struct sluice_wave_maker *w)
{
    return w->of->start + solitary_reach / (w->solitary.beta * w->solitary.c);
}

int64_t sluice_wave_maker_samples(const struct sluice_wave_maker *w, double end)
{
    const double most = 1e7 / (double)(w->count > 0 ? w->count : 1),
                 wanted = w->count > 0 ? 40 * w->of->band_high * end / w->period : 0;
    return (int64_t)fmin(fmax(wanted, 2000), fmax(most, 2000));
}

double sluice_wave_maker_end(const struct sluice_wave_maker *w)
{
    const struct sluice_solitary *s = &w->solitary;
    return w->of->kind == SLUICE_WAVE_SOLITARY
               ? w->of->start + 2 * solitary_reach / (s->beta * s->c)
               : w->stop;
}
