/* body_NAME.csv: where each body is, how it moves, and what moves it. */
#ifndef SLUICE_BODIES_BODY_TABLES_H
#define SLUICE_BODIES_BODY_TABLES_H

#include "bodies/bodies.h"

enum { SLUICE_BODY_COLUMNS_MOST = 48 };

/* The columns after step and time; `header` has 1024 bytes. */
void sluice_body_header(int dimension, char header[1024]);

/* The numbers of a body at the end of a step, in the order of the header. Returns how many. */
int sluice_body_row(const struct sluice_bodies *b, int body, double row[SLUICE_BODY_COLUMNS_MOST]);

/* The time between rows, s: output.bodies, or a thousandth of time.end. */
double sluice_body_rows_every(const struct sluice_config *config);
#endif
