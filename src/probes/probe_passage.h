/* What has passed through a section since the start of a run: volumes, and the events of wave
 * overtopping.
 *
 *   volume     integral of max(Q, 0) dt, by the trapezoidal rule between rows; likewise of a flux
 *              of Q, and `returned` of max(-Q, 0)
 *   event      begins with the first row in which water passes over. It ends when the discharge has
 *              stayed below a hundredth of the event's largest one for `gap` seconds
 *
 * The volume of an event is that of its wave (wave-by-wave volumes of EurOtop 2018, section 5.4),
 * a metre of the crest. Events of less than `least` do not count. All numbers are double, so that a
 * checkpoint keeps them. */
#ifndef SLUICE_PROBES_PROBE_PASSAGE_H
#define SLUICE_PROBES_PROBE_PASSAGE_H
#include "config/config.h"

struct sluice_passage {
    double rows;             /* so far */
    double start, time;      /* s, of the first row and of the last one */
    double flux;             /* of the last row: m^3/s, or of a crest m^3/s per metre of it */
    double volume, returned; /* m^3, or m^3/m; of a flux the volume of all that passed */
    double open;             /* 1: an event goes on */
    double event, peak;      /* its volume, and its largest discharge */
    double active;           /* s, the last row in which its water passed */
    double events;           /* that have ended */
    double last, largest;    /* their volumes, m^3/m; NAN: none */
};
enum { SLUICE_PASSAGE_REALS = sizeof(struct sluice_passage) / sizeof(double) };

/* Adds the row of a flux probe. values: flux, volume. */
void sluice_passage_flux(struct sluice_passage *p, double time, double flux, double values[2]);

/* Adds the row of a crest. discharge: over it, m^3/s per metre; particle: m^3/m, the least volume
 * of an event where the config has none. values: q, its mean since the first row, passed, returned,
 * events, and the volumes of the present, the last and the largest event. */
void sluice_passage_crest(struct sluice_passage *p, const struct sluice_probe *probe,
                          double particle, double time, double discharge, double values[8]);
#endif
