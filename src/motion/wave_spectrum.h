/* Spectra of irregular and focused waves: by a formula, or from a table. */
#ifndef SLUICE_MOTION_WAVE_SPECTRUM_H
#define SLUICE_MOTION_WAVE_SPECTRUM_H
#include "config/config.h"
#include "core/status.h"
#include "motion/track.h"
#include "motion/wave_components.h"

struct sluice_wave_spectrum {
    const struct sluice_wave_settings *of; /* borrowed */
    const struct sluice_track *table;      /* borrowed: t is f, value[0] S; NULL: a formula */
    double gravity;                        /* m/s^2 */
    double peak, low, high;                /* Hz */
    double height;                         /* Hs of a file's spectrum within the band, m */
    double cut;                            /* the fraction of a file's m0 outside of it */
};

/* The spectrum of motion m with its peak at `peak` (Hz; 0, of a file: that of its largest S).
 * Borrows the settings and the table, whose count is 0 unless a file has the spectrum. Errors,
 * which name the motion: a peak that is not the file's, a band without energy. */
sluice_status sluice_wave_spectrum_create(struct sluice_wave_spectrum *s,
                                          const struct sluice_motion *m,
                                          const struct sluice_track *table, double peak,
                                          double gravity);

/* Makes `count` components of a spectrum with m0 = height^2/16, or of a focused group whose crest
 * is `height` (m): one frequency at a random place of each of `count` equal intervals of the band,
 * so that the record does not repeat. Errors: none of them hits the waves of the motion's file. */
sluice_status sluice_wave_spectrum_make(const struct sluice_wave_spectrum *s,
                                        const struct sluice_motion *m, double height,
                                        struct sluice_wave_component *component, int64_t count);
#endif
