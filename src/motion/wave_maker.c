#include "motion/wave_maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "motion/wave_ramp.h"
#include "motion/wave_spectrum.h"

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

/* The highest of a thousand waves over Hs (Longuet-Higgins 1952). */
static const double highest_of_thousand = 1.9;

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
    const double height = fabs(w->of->gain) * w->height;
    return w->of->kind == SLUICE_WAVE_FOCUSED ? 2 * height : height;
}

double sluice_wave_maker_highest_crest(const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w);
    switch (w->of->kind) {
    case SLUICE_WAVE_SOLITARY:
        return height;
    case SLUICE_WAVE_IRREGULAR:
        return 0.5 * highest_of_thousand * height;
    case SLUICE_WAVE_ELEVATION:
        return fabs(w->of->gain) * w->record.crest;
    default:
        return 0.5 * height;
    }
}

static sluice_status check_height(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double height = sluice_wave_maker_height(w), most = sluice_wave_maker_breaking(w);
    SLUICE_CHECK(height <= most, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': %s: waves of %.6g m in %.6g m of water break at the "
                 "paddle: at most %.4g m (%s)",
                 n->m->file, n->m->line, n->m->name, n->m->wave.height > 0 ? "height" : "file",
                 height, w->of->depth, most,
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

static sluice_status check_focus(const struct naming *n, const struct sluice_wave_maker *w)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    const double slowest = sluice_wave_component_speed(&w->component[w->count - 1], s->depth),
                 earliest = s->start + w->ramp + s->focus_at / slowest;
    SLUICE_CHECK(s->focus_time >= earliest, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': focus_time: at %.6g s the slowest waves are not yet %.6g m "
                 "from the paddle: from %.4g s on, or a lower band_high",
                 n->m->file, n->m->line, n->m->name, s->focus_time, s->focus_at, earliest);
    return SLUICE_OK;
}

/* Of waves whose period is known. */
static sluice_status check_times(const struct naming *n, const struct sluice_wave_maker *w)
{
    SLUICE_CHECK(
        w->kd > least_kd, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': period: waves of %.4g s are %.4g times as long as the water "
        "is deep: at most %.4g times",
        n->m->file, n->m->line, n->m->name, w->period, 2 * pi / w->kd, 2 * pi / least_kd);
    SLUICE_CHECK(w->stop >= w->start + 2 * w->ramp, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': stop: %.6g s leaves no room for two ramps of %.6g s after "
                 "start",
                 n->m->file, n->m->line, n->m->name, w->stop, w->ramp);
    return check_height(n, w);
}

/* Of a band that a file or the user gives. */
static sluice_status check_band(const struct naming *n, const struct sluice_wave_maker *w)
{
    const double g = gravity_of(n->config), least = sluice_wave_kd(w->of, g, w->low);
    SLUICE_CHECK(least > least_kd, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': band_low: the waves of %s begin at %.4g Hz, where they are "
                 "%.4g times as long as the water is deep: give a band_low, at least %.3g",
                 n->m->file, n->m->line, n->m->name, n->m->table, w->low, 2 * pi / least,
                 sqrt(g / w->of->depth) * least_kd / (2 * pi) * w->period);
    return SLUICE_OK;
}

static sluice_status make_regular(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    w->order = s->order > 0 ? s->order : s->paddle == SLUICE_PADDLE_PISTON && w->kd <= 0.75 ? 2 : 1;
    w->ramp = s->ramp > 0 ? s->ramp : 2 * w->period;
    SLUICE_TRY(check_times(n, w));
    SLUICE_TRY(check_order(n, w));
    w->count = 1;
    SLUICE_ALLOCATE(w->component, w->count, "components of waves");
    w->component[0] = sluice_wave_component_of(s, gravity_of(n->config), 0.5 * s->height,
                                               2 * pi / w->period, n->m->phase);
    if (!sluice_steady_wave_of(fabs(s->gain) * s->height, w->period, s->depth,
                               gravity_of(n->config), &w->steady))
        w->steady.k = 0;
    if (w->order == 2)
        w->second = s->gain * s->height * s->height / s->depth * sluice_wave_madsen(w->kd);
    return check_way(n, w);
}

static sluice_status make_spectrum(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    struct sluice_wave_spectrum spectrum;
    SLUICE_TRY(sluice_wave_spectrum_create(
        &spectrum, n->m, w->table, w->period > 0 ? 1 / w->period : 0, gravity_of(n->config)));
    if (spectrum.table) {
        w->period = 1 / spectrum.peak;
        w->kd = sluice_wave_kd(s, gravity_of(n->config), spectrum.peak);
        w->height = s->height > 0 ? s->height : spectrum.height;
    }
    w->low = spectrum.low;
    w->high = spectrum.high;
    w->cut = spectrum.cut;
    w->ramp = s->ramp > 0 ? s->ramp : 2 * w->period;
    if (spectrum.table)
        SLUICE_TRY(check_band(n, w));
    SLUICE_TRY(check_times(n, w));
    w->count = s->components;
    SLUICE_ALLOCATE(w->component, w->count, "components of waves");
    SLUICE_TRY(sluice_wave_spectrum_make(&spectrum, n->m, w->height, w->component, w->count));
    SLUICE_TRY(check_way(n, w));
    return s->kind == SLUICE_WAVE_FOCUSED ? check_focus(n, w) : SLUICE_OK;
}

/* --- Records --- */

/* The paddle begins before the record does, by the time that slow waves take, and is done when the
 * fastest of its end are there. */
static sluice_status make_elevation(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_wave_settings *s = &n->m->wave;
    struct sluice_wave_record *r = &w->record;
    SLUICE_TRY(sluice_wave_record_create(r, n->config, n->m, w->table, &w->component, &w->count));
    w->period = r->period;
    w->kd = sluice_wave_kd(s, gravity_of(n->config), 1 / r->period);
    w->height = r->height;
    w->ramp = r->ramp;
    w->low = r->low;
    w->high = r->high;
    w->cut = r->cut;
    w->start = s->start - r->lead;
    w->stop = fmin(w->stop, s->start + r->duration - s->record_at / sluice_wave_maker_front(w));
    SLUICE_CHECK(w->start >= 0, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': start: waves of %.3g s, the slowest of the record, take "
                 "%.4g s to its place, %.6g m from the paddle, and would begin before the run: "
                 "start = %.4g or later, or a lower band_high",
                 n->m->file, n->m->line, n->m->name, 1 / r->slow, r->lead, s->record_at,
                 ceil(1000 * r->lead) / 1000);
    SLUICE_TRY(check_band(n, w));
    SLUICE_TRY(check_times(n, w));
    return check_way(n, w);
}

static double speed_at(const struct sluice_track *s, int64_t row, double lever)
{
    double value[SLUICE_TRACK_COLUMNS], first[SLUICE_TRACK_COLUMNS], unused[SLUICE_TRACK_COLUMNS];
    sluice_track_at(s, s->t[row], value, first, unused);
    return fabs(first[0]) + lever * fabs(first[SLUICE_TRACK_ANGLE]);
}

static sluice_status make_paddle(struct sluice_wave_maker *w, const struct naming *n)
{
    const struct sluice_track *s = w->table;
    const double duration = s->t[s->count - 1] - s->t[0];
    double most = 0;
    for (int64_t i = 0; i < s->count; i++)
        most = fmax(most, speed_at(s, i, w->lever));
    w->ramp = w->of->ramp;
    for (int side = 0; side < 2; side++) {
        const int64_t row = side ? s->count - 1 : 0;
        const double speed = speed_at(s, row, w->lever);
        const int late = side && (w->of->start + duration >= n->config->time.end ||
                                  w->stop <= w->of->start + duration);
        SLUICE_CHECK(late || (!side && w->ramp > 0) || speed <= 0.1 * most, SLUICE_BAD_INPUT,
                     "%s:%lld: the paddle %s at %.3g m/s, of %.3g m/s at most: add rows until it "
                     "rests, or give the motion %s",
                     n->m->table, (long long)s->line[row], side ? "ends" : "begins", speed, most,
                     side ? "a stop and a ramp" : "a ramp");
    }
    SLUICE_CHECK(w->stop >= w->start + 2 * w->ramp, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': stop: %.6g s leaves no room for two ramps of %.6g s after "
                 "start",
                 n->m->file, n->m->line, n->m->name, w->stop, w->ramp);
    return SLUICE_OK;
}

sluice_status sluice_wave_maker_create(struct sluice_wave_maker *w,
                                       const struct sluice_config *config,
                                       const struct sluice_motion *m,
                                       const struct sluice_track *table)
{
    const struct naming n = {config, m};
    const struct sluice_wave_settings *s = &m->wave;
    const double g = gravity_of(config);
    memset(w, 0, sizeof *w);
    w->of = s;
    w->table = table;
    w->order = 1;
    w->height = s->height;
    w->start = s->start;
    w->lever = s->depth - s->hinge;
    w->stop = s->stop > 0 ? s->stop : INFINITY;
    SLUICE_TRY(check_gravity(&n));
    w->long_waves = sqrt(g * s->depth);
    if (m->period > 0 || s->length > 0) {
        w->period = m->period > 0
                        ? m->period
                        : 2 * pi /
                              sqrt(2 * pi * g / s->length * tanh(2 * pi * s->depth / s->length));
        w->kd = sluice_wave_number(2 * pi / w->period, s->depth, g);
    }
    switch (s->kind) {
    case SLUICE_WAVE_SOLITARY:
        w->solitary = sluice_solitary_of(s->height, s->depth, g,
                                         s->theory == SLUICE_SOLITARY_BOUSSINESQ);
        return check_height(&n, w);
    case SLUICE_WAVE_REGULAR:
        return make_regular(w, &n);
    case SLUICE_WAVE_ELEVATION:
        return make_elevation(w, &n);
    case SLUICE_WAVE_PADDLE:
        return make_paddle(w, &n);
    default:
        return make_spectrum(w, &n);
    }
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

/* The ramp and its derivatives. */
static void rise(double s, double per_time, double r[3])
{
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    r[0] = sluice_wave_rise(s);
    r[1] = per_time * 30 * s * s * (1 - s) * (1 - s);
    r[2] = per_time * per_time * 60 * s * (1 - s) * (1 - 2 * s);
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

static void components_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const double tau = t - w->of->start;
    for (int64_t i = 0; i < w->count; i++) {
        const struct sluice_wave_component *c = &w->component[i];
        const double angle = c->omega * tau + c->phase;
        x[0] += c->stroke * sin(angle);
        x[1] += c->stroke * c->omega * cos(angle);
        x[2] -= c->stroke * c->omega * c->omega * sin(angle);
    }
    if (w->second != 0) {
        const double omega = 2 * w->component[0].omega,
                     angle = omega * tau + 2 * w->component[0].phase;
        x[0] += w->second * sin(angle);
        x[1] += w->second * omega * cos(angle);
        x[2] -= w->second * omega * omega * sin(angle);
    }
}

/* From its first row; at rest before it and after its last. An angle becomes the displacement at
 * the surface, lever tan(angle). */
static void paddle_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const struct sluice_track *s = w->table;
    const double at = t - w->of->start + s->t[0], end = s->t[s->count - 1],
                 inside = at < s->t[0] ? s->t[0] : fmin(at, end), moves = at == inside;
    double begin[SLUICE_TRACK_COLUMNS], value[SLUICE_TRACK_COLUMNS], first[SLUICE_TRACK_COLUMNS],
        second[SLUICE_TRACK_COLUMNS];
    sluice_track_at(s, s->t[0], begin, first, second);
    sluice_track_at(s, inside, value, first, second);
    const double angle = value[SLUICE_TRACK_ANGLE] - begin[SLUICE_TRACK_ANGLE],
                 slope = 1 / (cos(angle) * cos(angle)), spin = first[SLUICE_TRACK_ANGLE],
                 spin_rate = second[SLUICE_TRACK_ANGLE], gain = w->of->gain;
    x[0] = gain * (value[0] - begin[0] + w->lever * tan(angle));
    x[1] = gain * moves * (first[0] + w->lever * slope * spin);
    x[2] = gain * moves *
           (second[0] + w->lever * slope * (spin_rate + 2 * tan(angle) * spin * spin));
}

void sluice_wave_maker_at(const struct sluice_wave_maker *w, double t, double *x, double *v,
                          double *a)
{
    const double tau = t - w->start;
    double at[3] = {0, 0, 0}, r[3];
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        solitary_at(w, t, at);
    else if (w->of->kind == SLUICE_WAVE_PADDLE)
        paddle_at(w, t, at);
    else
        components_at(w, t, at);
    if (w->ramp > 0) {
        rise(tau / w->ramp, tau > 0 && tau < w->ramp ? 1 / w->ramp : 0, r);
        multiply(at, r);
        if (t > w->stop - w->ramp) {
            const double left = w->stop - t;
            rise(left / w->ramp, left > 0 ? -1 / w->ramp : 0, r);
            multiply(at, r);
        }
    }
    *x = at[0];
    *v = at[1];
    *a = at[2];
}

double sluice_wave_maker_front(const struct sluice_wave_maker *w)
{
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return w->solitary.c;
    return w->count > 0 ? sluice_wave_component_speed(&w->component[0], w->of->depth)
                        : w->long_waves;
}

double sluice_wave_maker_crest(const struct sluice_wave_maker *w)
{
    return w->of->start + solitary_reach / (w->solitary.beta * w->solitary.c);
}

int64_t sluice_wave_maker_samples(const struct sluice_wave_maker *w, double end)
{
    const int is_record = w->of->kind == SLUICE_WAVE_PADDLE;
    const double most = 1e7 / (double)(w->count > 0 ? w->count : 1),
                 wanted = is_record       ? 8 * (double)w->table->count
                          : w->count == 1 ? 100 * end / w->period
                                          : 40 * w->high * end;
    return (int64_t)fmin(fmax(wanted, 2000), fmax(most, 2000));
}

double sluice_wave_maker_end(const struct sluice_wave_maker *w)
{
    const struct sluice_solitary *s = &w->solitary;
    const struct sluice_track *t = w->table;
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return w->of->start + 2 * solitary_reach / (s->beta * s->c);
    return w->of->kind == SLUICE_WAVE_PADDLE
               ? fmin(w->stop, w->of->start + t->t[t->count - 1] - t->t[0])
               : w->stop;
}
