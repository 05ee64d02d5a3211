/* A record of the surface, carried back to the paddle by linear theory: its Fourier components,
 * each with its phase k x and its stroke. */
#ifndef SLUICE_MOTION_WAVE_RECORD_H
#define SLUICE_MOTION_WAVE_RECORD_H
#include "config/config.h"
#include "core/status.h"
#include "motion/track.h"
#include "motion/wave_components.h"

/* The record without its mean, and the band that the paddle makes. A long record is
 * used as far as the run needs it. */
struct sluice_wave_record {
    int64_t rows;           /* used */
    double first, duration; /* time of its first row; s */
    double mean, height;    /* m; height: 4 times the standard deviation, Hm0 */
    double highest, crest;  /* the highest wave between zero down-crossings; the highest crest, m */
    double period;          /* at the spectrum's peak, s */
    double low, high;       /* the band, Hz */
    double cut;             /* the fraction of m0 outside of the band */
    double slow;            /* 99% of the band's m0 is at longer waves: their frequency, Hz */
    double lead;            /* how long these take from the paddle to the record's place, s */
    double ramp;            /* with which it begins and ends, s */
};

/* Analyses the record of motion m, a table with its path, and makes its components, which the
 * caller frees; their times are from the record's first row. Errors, which name the motion: no
 * waves, rows too far apart, a band without waves, no time for two ramps, more than 20000
 * components or 1e10 products; memory. */
sluice_status sluice_wave_record_create(struct sluice_wave_record *r,
                                        const struct sluice_config *config,
                                        const struct sluice_motion *m,
                                        const struct sluice_track *table,
                                        struct sluice_wave_component **component, int64_t *count);
#endif
