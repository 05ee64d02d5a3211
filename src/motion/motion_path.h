/* From the rows of a motion's table to its path. */
#ifndef SLUICE_MOTION_MOTION_PATH_H
#define SLUICE_MOTION_MOTION_PATH_H
#include "motion/track.h"

/* Smooths the rows by the cubic smoothing spline (Reinsch 1967; Green & Silverman 1994, section
 * 2.3), whose weights are the intervals between rows: an oscillation of frequency f keeps
 * 1/(1 + (f/frequency)^4) of its amplitude, and its phase (Craven & Wahba 1979, section 2).
 * The motion counts as at rest before its first row. Sets track->moved. Errors: memory. */
sluice_status sluice_track_filter(struct sluice_track *track, double frequency);

/* Fills track->bend from two or more rows; interpolation: enum sluice_interpolation. Errors:
 * memory. */
sluice_status sluice_track_make_path(struct sluice_track *track, int interpolation);

/* Filters the rows, where filter (Hz) is above 0, makes the path, and checks its overshoot: its
 * errors name the table by `path`. */
sluice_status sluice_track_prepare(struct sluice_track *track, double filter, int interpolation,
                                   const char *path);

/* Errors: the path leaves the range of the two rows around it by more than 20% of the table's
 * largest step; the message names the row by track->line and `path`. */
sluice_status sluice_track_check_overshoot(const struct sluice_track *track, const char *path);
#endif
