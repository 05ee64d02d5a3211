/* body_NAME.csv: where each body is, how it moves, and what moves it; mooring_NAME.csv: the length
 * of each mooring, its force, and its ends. */
#ifndef SLUICE_BODIES_BODY_TABLES_H
#define SLUICE_BODIES_BODY_TABLES_H

#include "bodies/bodies.h"
#include "files/columns.h"

enum { SLUICE_BODY_COLUMNS_MOST = 48, SLUICE_MOORING_COLUMNS = 11 };

/* The columns after step and time. */
extern const struct sluice_column sluice_body_columns[], sluice_mooring_columns[];

/* The numbers of a body at the end of a step, in the order of the columns. Returns how many. */
int sluice_body_row(const struct sluice_bodies *b, int body, double row[SLUICE_BODY_COLUMNS_MOST]);

/* The same of the mooring whose links begin at `link`; returns how many links it has. */
int sluice_mooring_row(const struct sluice_moorings *m, int dimension, int link,
                       double row[SLUICE_MOORING_COLUMNS]);

/* The time between rows of bodies and moorings, s: output.bodies, or a thousandth of time.end. */
double sluice_body_rows_every(const struct sluice_config *config);
#endif
