/* Tables of wave makers, CSV files: a spectrum (f, S), a record of the surface (t and its
 * elevation), a record of a paddle (t and x, v, angle or degrees). */
#ifndef SLUICE_MOTION_WAVE_TABLE_H
#define SLUICE_MOTION_WAVE_TABLE_H
#include "config/config.h"
#include "core/status.h"
#include "motion/track.h"

/* Reads the table of wave maker m into an empty track, with its path: S, the elevation (m) or the
 * paddle's displacement (m) in column 0, its angle (rad) in column SLUICE_TRACK_ANGLE. Velocities
 * are integrated; a paddle's rows are filtered. Errors, with the row: what sluice_rows has, times
 * or frequencies that do not rise, a column that is missing or not the only one (a record of the
 * surface may have others, which are not read), S below 0, a gap or a jump in a record, a flap over
 * 80 degrees from its first row; memory. */
sluice_status sluice_wave_table_read(struct sluice_track *track, const struct sluice_motion *m);
#endif
