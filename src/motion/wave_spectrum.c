#include "motion/wave_spectrum.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "motion/wave_theory.h"

static const double pi = 3.14159265358979323846;

/* Uniform in [0, 1): Steele, Lea & Flood 2014 (splitmix64). */
static double uniform(uint64_t *state)
{
    *state += SLUICE_MIX_STEP;
    return sluice_mix_unit(*state);
}

/* --- From a table --- */

/* Straight from row to row; 0 beyond them. */
static double table_at(const struct sluice_track *table, double f)
{
    int64_t low = 0, high = table->count - 1;
    if (f < table->t[low] || f > table->t[high])
        return 0;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (table->t[middle] > f)
            high = middle;
        else
            low = middle;
    }
    const double share = (f - table->t[low]) / (table->t[high] - table->t[low]);
    return (1 - share) * table->value[low][0] + share * table->value[high][0];
}

/* m0 between two frequencies, m^2. */
static double integral_of(const struct sluice_track *table, double from, double to)
{
    double sum = 0;
    for (int64_t i = 1; i < table->count; i++) {
        const double a = fmax(from, table->t[i - 1]), b = fmin(to, table->t[i]);
        if (a < b)
            sum += 0.5 * (b - a) * (table_at(table, a) + table_at(table, b));
    }
    return sum;
}

static int64_t peak_of(const struct sluice_track *table)
{
    int64_t at = 0;
    for (int64_t i = 1; i < table->count; i++)
        if (table->value[i][0] > table->value[at][0])
            at = i;
    return at;
}

/* A given peak is the file's if it is not farther from it than the next row. */
static sluice_status find_peak(struct sluice_wave_spectrum *s, const struct sluice_motion *m)
{
    const struct sluice_track *t = s->table;
    const int64_t at = peak_of(t);
    const double found = t->t[at], below = at > 0 ? found - t->t[at - 1] : 0,
                 above = at + 1 < t->count ? t->t[at + 1] - found : 0;
    SLUICE_CHECK(t->value[at][0] > 0, SLUICE_BAD_INPUT, "%s: column S is 0 in all rows: no waves",
                 m->table);
    SLUICE_CHECK(found > 0, SLUICE_BAD_INPUT,
                 "%s:%lld: S is largest at f = 0 Hz, where no waves are: S of this row is their "
                 "mean level; leave the row out",
                 m->table, (long long)t->line[at]);
    SLUICE_CHECK(
        s->peak == 0 || (s->peak >= found - below && s->peak <= found + above), SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': %s: the peak would be at %.6g Hz, but that of %s:%lld is at %.6g "
        "Hz, %.6g s: leave %s out",
        m->file, m->line, m->name, m->period > 0 ? "period" : "length", s->peak, m->table,
        (long long)t->line[at], found, 1 / found, m->period > 0 ? "period" : "length");
    s->peak = found;
    return SLUICE_OK;
}

static sluice_status find_band(struct sluice_wave_spectrum *s, const struct sluice_motion *m)
{
    const struct sluice_track *t = s->table;
    int64_t first = 0, last = t->count - 1;
    while (first < last && t->value[first + 1][0] == 0)
        first++;
    while (last > first && t->value[last - 1][0] == 0)
        last--;
    s->low = isfinite(s->of->band_low) ? s->of->band_low * s->peak : t->t[first];
    s->high = isfinite(s->of->band_high) ? s->of->band_high * s->peak : t->t[last];
    const double all = integral_of(t, t->t[0], t->t[t->count - 1]),
                 within = integral_of(t, s->low, s->high);
    SLUICE_CHECK(within > 0 && s->low < s->high, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': band_low: %s has no waves from %.6g to %.6g Hz: give a "
                 "band_low and band_high that hold its peak, %.6g Hz",
                 m->file, m->line, m->name, m->table, s->low, s->high, s->peak);
    s->height = 4 * sqrt(within);
    s->cut = fmax(0, 1 - within / all);
    return SLUICE_OK;
}

sluice_status sluice_wave_spectrum_create(struct sluice_wave_spectrum *s,
                                          const struct sluice_motion *m,
                                          const struct sluice_track *table, double peak,
                                          double gravity)
{
    memset(s, 0, sizeof *s);
    s->of = &m->wave;
    s->peak = peak;
    s->gravity = gravity;
    if (m->wave.spectrum == SLUICE_SPECTRUM_FILE) {
        s->table = table;
        SLUICE_TRY(find_peak(s, m));
        return find_band(s, m);
    }
    s->low = peak * (isfinite(s->of->band_low) ? s->of->band_low : 0.6);
    s->high = peak * (isfinite(s->of->band_high) ? s->of->band_high : 2.5);
    return SLUICE_OK;
}

/* --- Components --- */

static double density_at(const struct sluice_wave_spectrum *s, double f)
{
    return s->table
               ? table_at(s->table, f)
               : sluice_wave_jonswap(f, s->peak,
                                     s->of->spectrum == SLUICE_SPECTRUM_JONSWAP ? s->of->gamma : 1);
}

/* Amplitudes sqrt(2 S df), scaled; of a focused group proportional to S, the most probable shape of
 * a high crest (Tromans, Anaturk & Hagemeijer 1991), with the sum `height`. */
sluice_status sluice_wave_spectrum_make(const struct sluice_wave_spectrum *s,
                                        const struct sluice_motion *m, double height,
                                        struct sluice_wave_component *component, int64_t count)
{
    const struct sluice_wave_settings *of = s->of;
    const double width = (s->high - s->low) / (double)count;
    const int focused = of->kind == SLUICE_WAVE_FOCUSED;
    uint64_t state = (uint64_t)of->seed;
    double m0 = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        const double f = s->low + width * ((double)i + uniform(&state)),
                     turn = 2 * pi * uniform(&state), energy = density_at(s, f),
                     amplitude = focused ? energy : sqrt(energy);
        struct sluice_wave_component *c = &component[i];
        *c = sluice_wave_component_of(of, s->gravity, amplitude, 2 * pi * f, turn);
        if (focused)
            c->phase = c->k * of->focus_at - c->omega * (of->focus_time - of->start) +
                       pi / 180 * of->focus_phase;
        m0 += 0.5 * amplitude * amplitude;
        sum += amplitude;
    }
    SLUICE_CHECK(m0 > 0, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': components: none of %lld hits the waves of the spectrum: "
                 "take more, or a narrower band",
                 m->file, m->line, m->name, (long long)count);
    const double scale = focused ? height / sum : height / 4 / sqrt(m0);
    for (int64_t i = 0; i < count; i++) {
        component[i].amplitude *= scale;
        component[i].stroke *= scale;
    }
    return SLUICE_OK;
}
