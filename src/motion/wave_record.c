#include "motion/wave_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "motion/wave_ramp.h"
#include "motion/wave_theory.h"

static const double pi = 3.14159265358979323846;

/* A paddle's stroke is at most ten times the waves that it makes. */
static const double least_gain = 0.1;
/* Shorter waves than so many spacings are noise of the particles; four rows make a wave. */
static const double least_spacings = 8, least_rows = 4;
static const double components_most = 20000, work_most = 1e10;
/* Some seconds: a record that takes more is used only as far as the run needs it. */
static const double work_of_whole = 1e9;

/* The record at equal times, without its mean. */
struct samples {
    int64_t count;
    double step; /* s */
    double *eta; /* [count] m */
};

/* --- The record --- */

/* Takes the first rows of the table. */
static void choose_rows(struct sluice_wave_record *r, struct samples *s,
                        const struct sluice_track *table, int64_t count)
{
    r->rows = s->count = count;
    r->first = table->t[0];
    r->duration = table->t[count - 1] - table->t[0];
    s->step = r->duration / (double)(count - 1);
}

static sluice_status take_samples(struct sluice_wave_record *r, struct samples *s,
                                  const struct sluice_motion *m, const struct sluice_track *table)
{
    double value[SLUICE_TRACK_COLUMNS], unused[2][SLUICE_TRACK_COLUMNS], square = 0;
    SLUICE_ALLOCATE(s->eta, s->count, "samples of a record");
    for (int64_t i = 0; i < s->count; i++) {
        sluice_track_at(table, r->first + s->step * (double)i, value, unused[0], unused[1]);
        s->eta[i] = value[0];
        r->mean += value[0] / (double)s->count;
    }
    for (int64_t i = 0; i < s->count; i++) {
        s->eta[i] -= r->mean;
        square += s->eta[i] * s->eta[i] / (double)s->count;
        r->crest = fmax(r->crest, s->eta[i]);
    }
    r->height = 4 * sqrt(square);
    SLUICE_CHECK(sqrt(square) > 1e-9 * fabs(r->mean), SLUICE_BAD_INPUT,
                 "%s: the surface does not move: no waves", m->table);
    return SLUICE_OK;
}

/* The highest wave between zero down-crossings. */
static double highest_of(const struct samples *s)
{
    double low = 0, high = 0, most = 0;
    int inside = 0;
    for (int64_t i = 1; i < s->count; i++) {
        if (s->eta[i - 1] >= 0 && s->eta[i] < 0) {
            most = inside ? fmax(most, high - low) : most;
            low = high = 0;
            inside = 1;
        }
        low = fmin(low, s->eta[i]);
        high = fmax(high, s->eta[i]);
    }
    return most;
}

/* --- Fourier components --- */

/* The sum of x(i) exp(-i omega i step), tapered over `ramp` (s) at both ends. */
static void transform(const struct samples *s, double omega, double ramp, double sum[2])
{
    const double c = cos(omega * s->step), d = -sin(omega * s->step),
                 end = s->step * (double)(s->count - 1);
    double re = 1, im = 0;
    sum[0] = sum[1] = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const double t = s->step * (double)i, left = fmin(t, end - t),
                     x = left < ramp ? s->eta[i] * sluice_wave_rise(left / ramp) : s->eta[i],
                     next = c * re - d * im;
        sum[0] += re * x;
        sum[1] += im * x;
        im = c * im + d * re;
        re = next;
    }
}

/* --- The band --- */

/* The frequencies between which the paddle makes waves that particles and rows can have. */
static sluice_status find_limits(struct sluice_wave_record *r, const struct samples *s,
                                 const struct sluice_config *config, const struct sluice_motion *m)
{
    const struct sluice_wave_settings *of = &m->wave;
    const double g = sluice_wave_gravity(config), rows = 1 / (least_rows * s->step),
                 k = config->spacing > 0 ? 2 * pi / (least_spacings * config->spacing) : INFINITY,
                 short_waves = isfinite(k) ? sqrt(g * k * tanh(k * of->depth)) / (2 * pi)
                                           : INFINITY;
    double low = 0, high = fmin(rows, short_waves);
    r->high = high;
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (low + high);
        if (sluice_wave_gain(of, sluice_wave_kd(of, g, middle)) < least_gain)
            low = middle;
        else
            high = middle;
    }
    r->low = high;
    SLUICE_CHECK(r->low < 0.99 * r->high, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': file: the rows of %s are %.4g s apart: four of them are a "
                 "wave of %.4g s, and the paddle makes none longer than %.4g s",
                 m->file, m->line, m->name, m->table, s->step, 1 / r->high, 1 / r->low);
    return SLUICE_OK;
}

/* How many rows a run needs. Waves come to the record's place `lead` after they leave the paddle,
 * which is at most `start`: those that leave until time.end are in the record's first time.end.
 * Two ramps follow; without a ramp given each is two periods, the longest of the band's at most. */
static int64_t needed_rows(const struct sluice_wave_record *r, const struct sluice_track *table,
                           const struct sluice_config *config, const struct sluice_motion *m)
{
    const double ramp = m->wave.ramp > 0 ? m->wave.ramp : 2 / r->low,
                 last = r->first + config->time.end + 2 * ramp;
    int64_t count = table->count;
    while (count > 2 && table->t[count - 2] >= last)
        count--;
    return count;
}

/* The rows used, and the limits of the band. */
static sluice_status choose_part(struct sluice_wave_record *r, struct samples *s,
                                 const struct sluice_config *config, const struct sluice_motion *m,
                                 const struct sluice_track *table)
{
    choose_rows(r, s, table, table->count);
    SLUICE_TRY(find_limits(r, s, config, m));
    if ((r->high - r->low) * r->duration * (double)s->count <= work_of_whole)
        return SLUICE_OK;
    choose_rows(r, s, table, needed_rows(r, table, config, m));
    return find_limits(r, s, config, m);
}

/* `remedy` is what lowers the number of components beside fewer rows. */
static sluice_status check_work(const struct sluice_wave_record *r, const struct samples *s,
                                const struct sluice_motion *m, double duration, const char *remedy)
{
    const double count = (r->high - r->low) * duration;
    SLUICE_CHECK(
        count <= components_most && count * (double)s->count <= work_most, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': file: the run needs %lld rows of %s, %.4g s: over %.4g s they have "
        "%.0f components from %.4g to %.4g Hz: at most %.0f, and %.0g rows times components: take "
        "fewer rows, as every second%s",
        m->file, m->line, m->name, (long long)s->count, m->table, r->duration, duration, count,
        r->low, r->high, components_most, work_most, remedy);
    return SLUICE_OK;
}

/* The peak of the spectrum, whose values are means over 5% of the frequency to both sides. */
static double peak_of(const double *power, int64_t first, int64_t last, double df)
{
    double most = 0, peak = (double)first * df;
    for (int64_t j = first; j <= last; j++) {
        const int64_t half = (int64_t)fmax(1, 0.05 * (double)j);
        double sum = 0, at = 0;
        for (int64_t i = j - half; i <= j + half; i++)
            if (i >= first && i <= last) {
                sum += power[i];
                at += power[i] * (double)i * df;
            }
        if (sum / (double)(2 * half + 1) > most) {
            most = sum / (double)(2 * half + 1);
            peak = at / sum;
        }
    }
    return peak;
}

/* Tp, the band and its slow waves, from the spectrum of the record with tapers of a twentieth. */
static sluice_status find_band(struct sluice_wave_record *r, const struct samples *s,
                               const struct sluice_motion *m)
{
    const double df = 1 / (s->step * (double)s->count);
    double *power, sum[2], all = 0, part = 0;
    SLUICE_TRY(check_work(r, s, m, 1 / df, ", or lower time.end"));
    int64_t first = (int64_t)ceil(r->low / df), last = (int64_t)floor(r->high / df);
    SLUICE_CHECK(first + 2 <= last, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': file: %s is %.4g s long, too short for waves from %.4g to "
                 "%.4g s, which paddle, rows and spacing allow: add rows",
                 m->file, m->line, m->name, m->table, r->duration, 1 / r->high, 1 / r->low);
    SLUICE_ALLOCATE(power, last + 1, "spectrum of a record");
    for (int64_t j = first; j <= last; j++) {
        transform(s, 2 * pi * df * (double)j, 0.05 * r->duration, sum);
        power[j] = sum[0] * sum[0] + sum[1] * sum[1];
    }
    const double peak = peak_of(power, first, last, df);
    r->period = 1 / peak;
    if (isfinite(m->wave.band_low))
        r->low = m->wave.band_low * peak;
    if (isfinite(m->wave.band_high))
        r->high = fmin(r->high, m->wave.band_high * peak);
    for (int64_t j = first; j <= last; j++)
        all += (double)j * df <= r->high ? power[j] : 0;
    for (int64_t j = first; j <= last && part < 0.99 * all; j++) {
        part += power[j];
        r->slow = df * (double)j;
    }
    free(power);
    r->slow = fmax(r->slow, peak);
    return SLUICE_OK;
}

/* --- At the paddle --- */

static sluice_status check_cut(const struct sluice_wave_record *r, const struct sluice_motion *m)
{
    const int low = isfinite(m->wave.band_low), high = isfinite(m->wave.band_high);
    SLUICE_CHECK(r->cut < 0.5, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': %s: %.0f%% of the energy of %s is outside of the band from "
                 "%.4g to %.4g Hz%s: %s",
                 m->file, m->line, m->name,
                 low    ? "band_low"
                 : high ? "band_high"
                        : "file",
                 100 * r->cut, m->table, r->low, r->high,
                 low || high ? "" : ", which paddle, rows and spacing allow",
                 low && high   ? "widen it by band_low and band_high"
                 : low || high ? "widen it, or leave the key out"
                               : "is t in s, and the depth right?");
    return SLUICE_OK;
}

static sluice_status make(struct sluice_wave_record *r, const struct samples *s,
                          const struct sluice_config *config, const struct sluice_motion *m,
                          struct sluice_wave_component **component, int64_t *count)
{
    const struct sluice_wave_settings *of = &m->wave;
    const double wanted = r->duration + r->lead + 2 * r->ramp;
    const int64_t whole = (int64_t)ceil(wanted / s->step) + 1;
    const double df = 1 / (s->step * (double)whole), end = r->duration;
    double square = 0, kept = 0;
    SLUICE_TRY(check_work(r, s, m, 1 / df,
                          of->record_at > 0 ? ", a smaller record_at, or a lower band_high"
                                            : ", or a lower band_high"));
    const int64_t first = (int64_t)ceil(r->low / df), last = (int64_t)floor(r->high / df);
    SLUICE_ALLOCATE(*component, last - first + 1, "components of a record");
    *count = last - first + 1;
    for (int64_t j = first; j <= last; j++) {
        struct sluice_wave_component *c = &(*component)[j - first];
        double sum[2];
        transform(s, 2 * pi * df * (double)j, r->ramp, sum);
        *c = sluice_wave_component_of(of, sluice_wave_gravity(config),
                                      2 * hypot(sum[0], sum[1]) / (double)whole,
                                      2 * pi * df * (double)j, atan2(sum[1], sum[0]));
        c->phase += c->k * of->record_at;
        kept += 0.5 * c->amplitude * c->amplitude;
    }
    for (int64_t i = 0; i < s->count; i++) {
        const double t = s->step * (double)i,
                     x = s->eta[i] * sluice_wave_rise(fmin(t, end - t) / r->ramp);
        square += x * x / (double)whole;
    }
    r->cut = square > 0 ? fmax(0, 1 - kept / square) : 1;
    return check_cut(r, m);
}

static sluice_status analyse(struct sluice_wave_record *r, struct samples *s,
                             const struct sluice_config *config, const struct sluice_motion *m,
                             const struct sluice_track *table,
                             struct sluice_wave_component **component, int64_t *count)
{
    const struct sluice_wave_settings *of = &m->wave;
    SLUICE_TRY(choose_part(r, s, config, m, table));
    SLUICE_TRY(take_samples(r, s, m, table));
    r->highest = highest_of(s);
    SLUICE_TRY(find_band(r, s, m));
    r->ramp = of->ramp > 0 ? of->ramp : 2 * r->period;
    SLUICE_CHECK(r->duration > 2 * r->ramp, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': ramp: %s is %.4g s long: no time for two ramps of %.4g s",
                 m->file, m->line, m->name, m->table, r->duration, r->ramp);
    const struct sluice_wave_component slow = sluice_wave_component_of(
        of, sluice_wave_gravity(config), 1, 2 * pi * r->slow, 0);
    r->lead = of->record_at / sluice_wave_component_speed(&slow, of->depth);
    return make(r, s, config, m, component, count);
}

sluice_status sluice_wave_record_create(struct sluice_wave_record *r,
                                        const struct sluice_config *config,
                                        const struct sluice_motion *m,
                                        const struct sluice_track *table,
                                        struct sluice_wave_component **component, int64_t *count)
{
    struct samples s = {0};
    memset(r, 0, sizeof *r);
    const sluice_status status = analyse(r, &s, config, m, table, component, count);
    free(s.eta);
    return status;
}
