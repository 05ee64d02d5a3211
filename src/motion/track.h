/* The rows of a table over time, and the cubic from each row to the next. */
#ifndef SLUICE_MOTION_TRACK_H
#define SLUICE_MOTION_TRACK_H
#include <stdint.h>

#include "core/status.h"
#include "files/read_csv.h"

/* The cubic is given by its second derivatives at both ends. Columns: x, y, z, angle; tables of
 * wave makers have theirs in column 0, but for angles. */
enum { SLUICE_TRACK_ANGLE = 3, SLUICE_TRACK_COLUMNS };
struct sluice_track {
    int64_t count, capacity;
    double *t;                               /* [count] ascending, s; of a spectrum Hz */
    double (*value)[SLUICE_TRACK_COLUMNS];   /* [count] m, rad; of a spectrum m^2/Hz, of an
                                                acceleration m/s^2 */
    double (*bend)[2][SLUICE_TRACK_COLUMNS]; /* [count] at this row and before the next, m/s^2 */
    int64_t *line;                           /* [count] in the file */
    double moved[SLUICE_TRACK_COLUMNS];      /* the farthest that the filter moved a row, m, rad */
    double first[SLUICE_TRACK_COLUMNS];      /* how far it moved the first row, */
    double mean[SLUICE_TRACK_COLUMNS];       /* and all of them in the mean */
};

void sluice_track_destroy(struct sluice_track *track);

/* Adds the row of a file. name[c]: of column c, and of the time's, which comes last. Errors: a time
 * that is not after the row before, a value beyond SLUICE_FAR, memory. */
sluice_status sluice_track_add(struct sluice_track *track, const struct sluice_rows *r,
                               const char *const *name, const double *value);

/* Value and derivatives of every column; beyond the ends the last cubic goes on. Needs the path:
 * motion_path.h. */
void sluice_track_at(const struct sluice_track *s, double t, double value[SLUICE_TRACK_COLUMNS],
                     double first[SLUICE_TRACK_COLUMNS], double second[SLUICE_TRACK_COLUMNS]);
#endif
