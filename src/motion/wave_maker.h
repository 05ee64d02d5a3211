/* Wave makers: where a paddle is at a time. In double, on the host. Times are from the run's start;
 * the paddle begins at rest at `start`, with a ramp s^3 (10 - 15 s + 6 s^2) on its path. */
#ifndef SLUICE_MOTION_WAVE_MAKER_H
#define SLUICE_MOTION_WAVE_MAKER_H
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"
#include "motion/steady_wave.h"
#include "motion/track.h"
#include "motion/wave_components.h"
#include "motion/wave_record.h"
#include "motion/wave_theory.h"

struct sluice_wave_maker {
    const struct sluice_wave_settings *of; /* borrowed; NULL: no wave maker */
    const struct sluice_track *table;      /* borrowed; its count is 0 where no file is read */
    int64_t count;
    struct sluice_wave_component *component; /* [count] */
    double second[2];                        /* displacement in 2 omega: cosine and sine, m */
    double free;                             /* the free second harmonic of order 1 over the */
                                             /* waves' amplitude; 0: k d is beyond its theory */
    long long order;                         /* 1 or 2 */
    double start;                            /* when it begins to move, s */
    double ramp, stop;                       /* s; stop: infinity if it never does; ramp 0: none */
    double lever;                            /* of a flap: from its hinge to the surface, m */
    double period, kd; /* at the peak; 0 of a solitary wave and of a paddle's record */
    struct sluice_steady_wave steady; /* of regular waves; k 0: there is none */
    double height;     /* before gain: as sluice_wave_maker_height, but for focused groups, m */
    double low, high;  /* the band of several components, Hz */
    double cut;        /* the fraction of a file's m0 outside of the band */
    double long_waves; /* sqrt(g d), m/s */
    struct sluice_wave_record record; /* rows 0: no record of the surface */
    struct sluice_solitary solitary;
};

/* Prepares the wave maker of motion m, whose settings are borrowed, as is the table, which
 * sluice_wave_table_read has read where the motion has a file. Errors, which name the motion: a
 * wave that breaks, a theory beyond its range, a solitary wave with a gain, a flap whose largest
 * displacement is beyond its lever, a focus that the slowest waves do not reach in time, a record
 * whose slowest waves begin before the run, or that does not begin at rest, gravity that does not
 * point down the last axis; those of sluice_wave_spectrum_create and sluice_wave_record_create. */
sluice_status sluice_wave_maker_create(struct sluice_wave_maker *w,
                                       const struct sluice_config *config,
                                       const struct sluice_motion *m,
                                       const struct sluice_track *table);
void sluice_wave_maker_destroy(struct sluice_wave_maker *w);

/* Displacement at the surface of the water at rest, along the waves, m, with its derivatives. */
void sluice_wave_maker_at(const struct sluice_wave_maker *w, double t, double *x, double *v,
                          double *a);

/* The surface over that at rest, m, which theory has at a distance (m, along the waves) from the
 * paddle at rest: a steady wave of finite height, a solitary wave, or the sum of components, each
 * with the ramp that has come so far at its group velocity. Without the waves bound to components,
 * and without reflection. NAN of a paddle's record. */
double sluice_wave_maker_elevation(const struct sluice_wave_maker *w, double distance, double t);

/* The height of its waves, m: Hs of a spectrum or a record, twice the crest of a focused group; 0
 * of a paddle's record. The highest crest above the water at rest, by linear theory, of a spectrum
 * that of a thousand waves (Longuet-Higgins 1952); and the height at which they break. */
double sluice_wave_maker_height(const struct sluice_wave_maker *w);
double sluice_wave_maker_highest_crest(const struct sluice_wave_maker *w);
/* The same to second order; of regular waves that of the steady wave. Records have it in them. */
double sluice_wave_maker_second_crest(const struct sluice_wave_maker *w);
double sluice_wave_maker_breaking(const struct sluice_wave_maker *w);

/* H L^2/d^3 of regular waves, and of a spectrum at its peak. */
double sluice_wave_maker_ursell(const struct sluice_wave_maker *w);

/* The speed of its first waves, m/s; and when the crest of a solitary wave would be at the paddle
 * at rest, s: it leaves the paddle half a stroke ahead. */
double sluice_wave_maker_front(const struct sluice_wave_maker *w);
double sluice_wave_maker_crest(const struct sluice_wave_maker *w);

/* Into how many times a look at all of its path until `end` (s) should divide. */
int64_t sluice_wave_maker_samples(const struct sluice_wave_maker *w, double end);

/* The time after which the paddle is at rest, s; infinity: never. */
double sluice_wave_maker_end(const struct sluice_wave_maker *w);
#endif
